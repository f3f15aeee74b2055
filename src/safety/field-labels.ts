import type { Surroundings } from './sanitise-text.ts';
import { namesSecret } from './secret-names.ts';
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
const LOGIN_KEYS = /^(?:user|user_?name|login|account|host|email|benutzer|usuario)$/i;
const NAME_KEYS =
  /^(?:name|key|field|variable|header|label|option|env|parameter|param|property|attribute|question|prompt|setting|type|k)$/i;
const VALUE_KEYS = /^(?:value|val|default|content|data|text|answer|plain|v)$/i;

// Short for a password in a field, everyday words in a text.
const SHORT_PASSWORD = /^(?:pw|passcode)$/i;

export const NOWHERE: Surroundings = { label: '', field: '', oneLine: false };
export const IN_A_KEY: Surroundings = { ...NOWHERE, oneLine: true };

// `db.password`, `{ "password": { "current": … } }`, `{ "passwords": { "bob": … } }`, `{ "cookies": { "sid": … } }`.
export function underKey(above: Surroundings, key: string): Surroundings {
  const own = foldLookAlikes(key).slice(-100);
  const oneLine = !LONG_FIELDS.has(own.toLowerCase());
  const field = own.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ');
  if (SHORT_PASSWORD.test(own)) return { label: 'password', field, oneLine };
  if (/cookies?$/i.test(above.label)) return { label: 'session_token', field, oneLine };
  if (GENERIC.test(own) && above.label) return { ...above, field: `${above.field} ${own}`.slice(-100), oneLine };
  if (namesSecret(own) || !namesSecret(above.label)) return { label: own, field, oneLine };
  return { label: above.label.endsWith('s') ? above.label : own, field, oneLine };
}

// `{ "name": "DB_PASSWORD", "value": … }`
export function isNameKey(key: string): boolean {
  return NAME_KEYS.test(key);
}

export function besideName(around: Surroundings, key: string, name: unknown): Surroundings {
  if (typeof name !== 'string' || name === '' || !VALUE_KEYS.test(key)) return around;
  if (around.label === 'session_token') return around;
  const label = foldLookAlikes(name).slice(-100);
  return { ...around, label, field: label };
}

// What the fields beside a key say about it: a login, a key in JSON, a secret of Kubernetes.
export function besideOthers(around: Surroundings, key: string, fields: ReadonlyMap<string, unknown>): Surroundings {
  const keys = [...fields.keys()];
  const secret = (label: string) => ({ ...around, label });
  // On its own "pass" may also count tests.
  if (/^(?:pass|code|key)$/i.test(key) && keys.some((other) => LOGIN_KEYS.test(other)))
    return secret(key.toLowerCase() === 'pass' ? 'password' : around.label);
  if (fields.has('kty') && /^(?:d|p|q|dp|dq|qi|k)$/.test(key)) return secret('private_key');
  if (fields.get('kind') === 'Secret' && /^(?:data|stringData)$/.test(key)) return secret('passwords');
  return around;
}
