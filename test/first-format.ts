import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalLine } from '../src/canonical-json.ts';
import { forger, sha256 } from './open-library.ts';
import { blocksRecord } from './signed-entry.ts';

const MACHINE = 'desk-123456';

/** A home as the first format left it: an open key, a signed chain of accepted notes, and the end of it in `heads`. */
export function firstFormatHome(
  home: string,
  texts: readonly string[],
  image = 'w',
): { lines: string[]; path: string } {
  const { keyFile } = forger();
  const { private_key, public_key } = JSON.parse(keyFile);
  const key = createPrivateKey({ key: Buffer.from(private_key, 'base64'), format: 'der', type: 'pkcs8' });
  const fingerprint = createHash('sha256').update(Buffer.from(public_key, 'base64')).digest('hex').slice(0, 16);
  const folder = join(home, 'workspaces', image);
  const path = join(folder, 'ledger', `${MACHINE}.jsonl`);
  for (const each of ['heads', `workspaces/${image}/ledger`]) mkdirSync(join(home, each), { recursive: true });
  const lines: string[] = [];
  for (const [index, text] of texts.entries()) {
    const entry = {
      ...{ decision: 'accept', at: new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString(), who: 'ada' },
      ...{ via: 'review', client: null, proposed_by: 'studio', proposal_id: `p_${index}`, session_id: 's' },
      ...{ image_id: image, file: 'notes.md', category: null, reason: null, edited: false, already_present: false },
      ...{ content_sha256: sha256(text), written_sha256: sha256(text), ...blocksRecord(text), level: 'ask' },
      ...{ seq: index + 1, prev: index === 0 ? '' : sha256(lines[index - 1] ?? ''), machine: MACHINE },
      ...{ key: fingerprint, public_key },
    };
    const sig = sign(null, Buffer.from(canonicalLine(entry)), key).toString('base64');
    lines.push(canonicalLine({ ...entry, sig }));
  }
  writeFileSync(join(home, 'key.json'), keyFile);
  writeFileSync(join(home, 'machine'), `${MACHINE}\n`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  writeFileSync(join(folder, 'notes.md'), `${texts.join('\n\n')}\n`);
  const head = { seq: lines.length, hash: sha256(lines.at(-1) ?? ''), checked: null, whole: null };
  writeFileSync(join(home, 'heads', `${sha256(path).slice(0, 32)}.json`), JSON.stringify(head));
  return { lines, path };
}
