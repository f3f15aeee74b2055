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

export const NOWHERE: Surroundings = { label: '', loose: false, field: '', oneLine: false };
export const IN_A_KEY: Surroundings = { ...NOWHERE, oneLine: true };

// `db.password`, `{ "password": { "current": … } }`, `{ "passwords": { "bob": … } }`.
export function underKey(above: Surroundings, key: string): Surroundings {
  const own = foldLookAlikes(key).slice(-100);
  const oneLine = !LONG_FIELDS.has(own.toLowerCase());
  if (GENERIC.test(own) && above.label) return { ...above, field: `${above.field} ${own}`.slice(-100), oneLine };
  if (namesSecret(own) || !namesSecret(above.label)) return { label: own, loose: false, field: own, oneLine };
  return { label: above.label, loose: above.loose || !above.label.endsWith('s'), field: own, oneLine };
}

// `{ "name": "DB_PASSWORD", "value": … }`
export function isNameKey(key: string): boolean {
  return NAME_KEYS.test(key);
}

export function besideName(around: Surroundings, key: string, name: unknown): Surroundings {
  if (typeof name !== 'string' || name === '' || !VALUE_KEYS.test(key)) return around;
  const label = foldLookAlikes(name).slice(-100);
  return { ...around, label, loose: false, field: label };
}

// `["--password", …]`
export function afterOption(around: Surroundings, option: unknown): Surroundings {
  if (typeof option !== 'string' || !/^--?[\w.-]{2,60}$/.test(option)) return around;
  const label = option.replace(/^-+/, '');
  return { ...around, label, loose: false, field: label };
}
