import type { Surroundings } from './sanitise-text.ts';
import { namesSecret } from './secret-assignments.ts';
import { foldLookAlikes } from './text-views.ts';

// Fields that hold text of many lines; every other one is a single line.
const LONG_FIELDS = new Set(
  (
    'text body summary description content contents excerpt note notes comment comments message details detail markdown md ' +
    'html log logs output stdout stderr error stack trace diff patch code snippet source readme brief gap gaps question ' +
    'answer reason steps transcript prompt'
  ).split(' '),
);
// Keys that say nothing about their value; the name above them does.
const GENERIC =
  /^(?:value|val|default|current|old|new|previous|plain|plaintext|raw|text|data|content|string|prod|production|staging|dev|test|live|primary|secondary|main|backup|home|work|office|private|number|[0-9]+)$/i;
const NAME_KEYS = /^(?:name|key|field|variable|header|label|option|env|parameter)$/i;
const VALUE_KEYS = /^(?:value|val|default|content|data)$/i;

// Short for a password in a field, everyday words in a text.
const SHORT_PASSWORD = /^(?:pw|passcode|pin|pin_?code)$/i;

export const NOWHERE: Surroundings = { label: '', loose: false, field: '', oneLine: false };
export const IN_A_KEY: Surroundings = { ...NOWHERE, oneLine: true };

// `db.password`, `{ "password": { "current": … } }`, `{ "passwords": { "bob": … } }`, `{ "cookies": { "sid": … } }`.
export function underKey(above: Surroundings, key: string): Surroundings {
  const own = foldLookAlikes(key).slice(-100);
  const oneLine = !LONG_FIELDS.has(own.toLowerCase());
  const field = own.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ');
  if (SHORT_PASSWORD.test(own)) return { label: 'password', loose: false, field, oneLine };
  if (/cookies?$/i.test(above.label)) return { label: 'session_token', loose: false, field, oneLine };
  if (GENERIC.test(own) && above.label) return { ...above, field: `${above.field} ${own}`.slice(-100), oneLine };
  if (namesSecret(own) || !namesSecret(above.label)) return { label: own, loose: false, field, oneLine };
  return { label: above.label, loose: above.loose || !above.label.endsWith('s'), field, oneLine };
}

// `{ "name": "DB_PASSWORD", "value": … }`
export function isNameKey(key: string): boolean {
  return NAME_KEYS.test(key);
}

export function besideName(around: Surroundings, key: string, name: unknown): Surroundings {
  if (typeof name !== 'string' || name === '' || !VALUE_KEYS.test(key)) return around;
  if (around.label === 'session_token') return around;
  const label = foldLookAlikes(name).slice(-100);
  return { ...around, label, loose: false, field: label };
}

// `["--password", …]`
export function afterOption(around: Surroundings, option: unknown): Surroundings {
  if (typeof option !== 'string' || !/^--?[\w.-]{2,60}$/.test(option)) return around;
  const label = option.replace(/^-+/, '');
  return { ...around, label, loose: false, field: label };
}

// `{ "user": "bob", "pass": … }`: on its own "pass" may also count tests.
export function besideUser(around: Surroundings, key: string, keys: string[]): Surroundings {
  const isLogin =
    /^pass$/i.test(key) && keys.some((other) => /^(?:user|user_?name|login|account|host|email)$/i.test(other));
  return isLogin ? { ...around, label: 'password', loose: false } : around;
}
