import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findHiddenCharacter, showHidden, whyNotId, whyNotPlainName } from '../../../src/safety/hidden-characters.ts';
import { sanitiseValue } from '../../../src/safety/sanitise.ts';
import { findSecrets } from '../../../src/safety/secrets.ts';
import { readConfigFile } from '../../../src/settings/io/open-app.ts';
import { assertNoProblems, problemsOf, resolveConfig } from '../../../src/settings/resolve.ts';
import { scratch } from '../scratch.ts';
import { type FuzzTarget, hold, onlyOurErrors, same } from '../target.ts';

const files = scratch();

const config: FuzzTarget = {
  name: 'config',
  words: [
    'max_chars: ',
    'confirm: passphrase',
    'elicitation_off: ',
    'editor: ',
    'workspaces: ',
    'tastes: /etc',
    '\n',
    '&a ',
    '*a',
    '!!binary ',
    '<<: ',
    '- ',
    '? ',
    '| ',
    '[',
    '{',
    '\t',
    '"',
    '---\n',
    '%YAML 1.2\n',
  ],
  seeds: ['max_chars: 2000\nconfirm: ask\n', 'elicitation_off: [a, b]\n? {a: b}\n: c\n', '"max_chars": 0x10 # c\n'],
  async run(bytes) {
    const path = files.write('config.yaml', bytes);
    for (const owner of ['home', 'project'] as const) {
      const file = await readConfigFile(path, { label: 'config.yaml', owner, scope: null });
      hold(file !== null, 'the file is there');
      const problems = problemsOf(file);
      for (const { line, column, message } of problems) {
        hold(line >= 1 && column >= 1, 'a problem has a place');
        hold(findHiddenCharacter(message) === null && message.length <= 1_000, 'a problem can be shown');
      }
      await onlyOurErrors(() => assertNoProblems(problems));
      if (problems.length > 0) continue;
      for (const setting of resolveConfig({
        options: {},
        variables: {},
        project: owner === 'project' ? file : null,
        home: file,
      }))
        hold(
          setting.value === null || typeof setting.value === 'string' || Number.isSafeInteger(setting.value),
          'a setting is a text or a number',
        );
    }
  },
};

// Built at run time, so that no scanner takes this file for a leak.
const PLANTED = ['ghp', '_', '16C7e42F292c6912E7710c838347Ae178B4a'].join('');

const sanitiser: FuzzTarget = {
  name: 'sanitiser',
  words: [
    'password: ',
    '"token":"',
    'Bearer ',
    'example',
    'placeholder',
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    'mail@host.example',
    '+49 30 1234567',
    '4111 1111 1111 1111',
    'https://u:p@h/',
    '%2D',
    '&#x2d;',
    '\\u002d',
    '\u200b',
    '[redacted:secret]',
    'sha256:',
    '\n',
    '=',
  ],
  seeds: [
    'the password: hunter2hunter2 and a note',
    'call +49 30 901820 or mail jane@firm.example',
    '{"api_key":"abcdefghij1234567890"}',
  ],
  max: 600,
  run(bytes) {
    const text = bytes.toString('utf8');
    const first = sanitiseValue({ summary: text });
    const again = sanitiseValue(first.value);
    same(again.value, first.value, 'what is clean stays as it is');
    if (first.value !== null)
      hold(findHiddenCharacter(JSON.stringify(first.value)) === null, 'nothing invisible passes');
    const half = text.length >> 1;
    const planted = `${text.slice(0, half)}\n${PLANTED}\n${text.slice(half)}`;
    const { value, actions } = sanitiseValue({ summary: planted });
    hold(!JSON.stringify(value).includes(PLANTED), 'a secret on a line of its own is found in any company');
    hold(
      actions.length > 0 && !JSON.stringify(actions).includes(PLANTED),
      'actions name class and field, never the value',
    );
    for (const { start, end } of findSecrets(text))
      hold(start >= 0 && start < end && end <= text.length, 'a finding has a place');
  },
};

const hidden: FuzzTarget = {
  name: 'hidden',
  words: [
    '\u200d',
    '\ufe0f',
    '\u{e0041}',
    '\u{1f468}\u200d\u{1f469}',
    '\u202e',
    '\u00ad',
    '\x1b[31m',
    '\r',
    '\u2066',
    '\u0600',
    '\u{1f3fb}',
    'e\u0301',
  ],
  seeds: ['plain', '👩‍👩‍👧 ❤️ नमस्ते', 'a\u200bb\u202ec'],
  run(bytes) {
    const text = bytes.toString('utf8');
    const shown = showHidden(text);
    hold(findHiddenCharacter(shown) === null, 'what is shown hides nothing');
    hold(!/[\u0000-\u001f\u007f-\u009f]/.test(shown), 'what is shown moves no cursor');
    hold(showHidden(shown) === shown, 'shown twice is shown once');
    hold(shown.length <= text.length * 12 + 10, 'what is shown stays in proportion');
    const found = findHiddenCharacter(text);
    if (found) hold([...text].length > found.offset - 1, 'a place inside the text');
    for (const why of [whyNotPlainName(text, '.md'), whyNotId(text)])
      if (why === null) {
        const place = join('/base', text);
        hold(
          place === `/base/${text}` && !text.includes('/') && found === null,
          'a plain name is one step and visible',
        );
      }
    if (whyNotPlainName(text, '.md') === null) mkdirSync(join(files.folder(), 'names'), { recursive: true });
  },
};

export const SAFETY_TARGETS = [config, sanitiser, hidden];
