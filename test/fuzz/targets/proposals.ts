import { sha256 } from '../../../src/files/file-fingerprint.ts';
import { decodeIntent, encodeIntent } from '../../../src/gate/io/target-text.ts';
import { safeEntry } from '../../../src/gate/io/transcript-reader.ts';
import { checkChain } from '../../../src/gate/ledger/chain.ts';
import { appendForm, blocksOf, fileEndOf, normalised, replaceBlock } from '../../../src/gate/ledger/text-blocks.ts';
import { checkedProposal, draftProposal, shownOf } from '../../../src/gate/proposals/proposal.ts';
import { appendDiff, diffText, replaceDiff } from '../../../src/gate/proposals/proposal-diff.ts';
import { findHiddenCharacter } from '../../../src/safety/hidden-characters.ts';
import { findSecrets } from '../../../src/safety/secrets.ts';
import { type FuzzTarget, hold, onlyOurErrors, same } from '../target.ts';

const ENTRY =
  '{"already_present":false,"at":"2026-11-15T10:00:00Z","decision":"accept","file":"notes.md","key":"k","level":"ask","machine":"m","prev":"","public_key":"p","seq":1,"sig":"s","v":3}';

const ledger: FuzzTarget = {
  name: 'ledger',
  words: [
    '"seq":',
    '"prev":"',
    '"sig":"',
    '"machine":"m"',
    '"at":',
    '"toString":null',
    '{"',
    '"decision":"level"',
    '"v":3,',
    '"sig":{"alg":"webauthn"',
    '\n',
    '[[[[',
  ],
  seeds: [ENTRY, `${ENTRY}\n${ENTRY.replace('"seq":1', '"seq":2')}\n{"half`],
  run(bytes) {
    const lines = bytes.toString('utf8').split('\n');
    const chain = { name: 'm', lines, torn: false, unreadable: null };
    const signed = checkChain(chain, { sha256, isSigned: () => true });
    hold(signed.entries.length <= lines.length, 'no entry without a line');
    hold((signed.broken === null) === (signed.entries.length === lines.length), 'what does not count has a reason');
    for (const [index, { entry, line }] of signed.entries.entries()) {
      hold(entry.seq === index + 1 && line === lines[index], 'an entry counts where it was signed to be');
      hold(Boolean(entry.sig), 'no signature, no entry');
    }
    const none = checkChain(chain, { sha256, isSigned: () => false });
    hold(none.entries.length === 0, 'a junk signature counts for nothing');
  },
};

const FILE =
  '{"version":1,"kind":"taste","proposal_id":"p_0123456789abcdef","content":"soft light","file":"_default.md","category":"value","reason":null,"replaces":null,"session_id":"0123456789ab","client":"c","created_at":"2026-11-15T10:00:00.000Z"}';

const proposal: FuzzTarget = {
  name: 'proposal',
  words: [
    '"kind":"notes"',
    '"file":"',
    '../',
    '.md',
    '"category":"process"',
    '"replaces":"',
    '"reason":',
    '\\u200b',
    '\\n',
    '"toString":1',
  ],
  seeds: [FILE, FILE.replace('taste', 'notes').replace('_default', 'notes').replace('"value"', 'null')],
  async run(bytes) {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      return;
    }
    const found = await onlyOurErrors(() => checkedProposal(value, 'w', sha256));
    if (!found) return;
    hold(findHiddenCharacter(found.content) === null, 'nothing invisible is shown as a proposal');
    hold(found.content_sha256 === sha256(found.content), 'the hash is that of the content');
    // Dots inside a name lead nowhere.
    hold(!/[/\\]/.test(found.file) && !/^\.+$/.test(found.file), 'a target is a plain file name');
    same(checkedProposal(found, 'w', sha256), found, 'a checked proposal is one');
    same(shownOf(found), shownOf(structuredClone(found)), 'what is shown depends on the content only');
  },
};

const intent: FuzzTarget = {
  name: 'intent',
  words: ['{"kind":"append"', '"text":"', ' ', '\n', '0'.repeat(64)],
  seeds: [encodeIntent({ kind: 'append', text: 'a', offset: 1 } as never, sha256), `${'0'.repeat(64)} {}\n`],
  run(bytes) {
    const text = bytes.toString('utf8');
    const found = decodeIntent(text, sha256);
    if (found) same(decodeIntent(encodeIntent(found, sha256), sha256), found, 'an intent survives writing and reading');
  },
};

const blocks: FuzzTarget = {
  name: 'blocks',
  words: ['\n\n', '\r\n\r\n', '\r', '\n \n', 'a block', '\t'],
  seeds: ['one\n\ntwo\r\n\r\nthree', 'a\n \n\nb\n'],
  async run(bytes) {
    const text = bytes.toString('utf8');
    for (const block of blocksOf(text).slice(0, 20)) {
      hold(normalised(block) !== '', 'a block is not blank');
      const replaced = replaceBlock(text, block, 'another text');
      hold(replaced === null || replaced.includes('another text'), 'a replaced block is in the text');
      const diff = replaceDiff(text, block, 'another text');
      if (diff) hold(diffText(diff).includes('another text'), 'a diff shows what is new');
    }
    const draft = await onlyOurErrors(() => draftProposal({ kind: 'notes', content: text } as never));
    if (!draft) return;
    const added = appendForm(fileEndOf('before'), draft.content);
    const after = blocksOf(`before${added}`);
    same(after.slice(1), blocksOf(draft.content), 'what is appended is in blocks of its own');
    hold(after[0] === 'before', 'what was there before stays');
    diffText(appendDiff(['before'], 1, draft.content));
  },
};

const transcript: FuzzTarget = {
  name: 'transcript',
  words: [
    '"password":"',
    '"arguments":{',
    'AKIAIOSFODNN7EXAMPL1',
    'ghp_',
    '"token":',
    '\\u200b',
    '[',
    '{"a":',
    '__proto__',
  ],
  seeds: ['{"tool":"x","arguments":{"password":"hunter2hunter2","deep":[{"a":1}]}}', '["-----BEGIN PRIVATE KEY-----"]'],
  run(bytes) {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      return;
    }
    const safe = safeEntry(value);
    const written = JSON.stringify(safe);
    hold(written.length <= bytes.length * 200 + 1_000, 'a record stays in proportion');
    same(safeEntry(safe), safe, 'what is safe stays as it is');
    eachText(safe, (text) => {
      hold(findHiddenCharacter(text) === null, 'nothing invisible lasts in a record');
      hold(/^[0-9a-f]{12,64}$/.test(text) || findSecrets(text).length === 0, 'no secret lasts in a record');
    });
  },
};

function eachText(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) eachText(item, visit);
}

export const PROPOSAL_TARGETS = [ledger, proposal, intent, blocks, transcript];
