// Words that make a value a stand-in for a secret rather than one.
const STAND_IN =
  /your|example|sample|changeme|change[-_ ]?(?:me|it)|placeholder|dummy|fake|redacted|hidden|masked|removed|insert|replace|todo|enter|here|foobar|foo|bar|baz|qux|test|testing|my(?=[-_ ])|some|the(?=[-_ ])|default|demo|mock|null|none|nil|undefined|empty|unset|required|optional|true|false|yes|no|tbd|n\/a/g;
// What such values are built from besides; on its own one of these is a stand-in too (`password: password`).
const FILLER =
  /password|passwd|passwort|kennwort|contraseña|senha|пароль|passphrase|passcode|wachtwoord|hasło|mot|passe|geheim|pass|pwd|pw|secret|token|apikey|api|key|access|auth|client|user|username|admin|root|postgres|db|database|value|string|goes|with|app|and|is|a|in|this|me|it|to|of|for|an/g;

const REFERENCE = [
  /^\$[A-Z_][A-Z0-9_]*$/,
  /^\$[a-z_]+$/i,
  /^\$\{[^}]*\}?|^\$\(|^\{\{|^#\{|^<%|^%\(|^\$\{\{/,
  /^\{[A-Za-z_][\w.]*(?:![rsa])?\}?$/,
  /^%[A-Za-z_]*%?$/,
  /^<[^<>]{0,80}>?$/,
  /^\[[^[\]]{0,80}\]?$/,
  /^!(?:vault|Ref|Sub|GetAtt|env)/i,
  /^(?:process\.env|os\.environ|os\.getenv|getenv|import\.meta|ENV\[|env\.|secrets\.|vault:|op:\/\/|arn:aws|ref\+|ENC\[|ENC\(|System\.)/,
];

// True for what stands where a secret would: variables, templates, masks, "your-password-here".
export function isPlaceholder(value: string): boolean {
  if (value.length === 0 || value.length > 512) return value.length === 0;
  if (/^(.)\1*$/su.test(value) || /^[*•.\-_#…?xX0+=/\\|~]+$/u.test(value)) return true;
  if (/\*{3}|•{3}|\.{3}|…|xxxx/iu.test(value)) return true;
  if (REFERENCE.some((pattern) => pattern.test(value))) return true;
  const lower = value.toLowerCase();
  const withoutStandIns = lower.replace(STAND_IN, '');
  const rest = withoutStandIns.replace(FILLER, '').replace(/[^\p{L}\p{N}]/gu, '');
  const isStandIn = withoutStandIns !== lower || lower.replace(FILLER, '') === '' || lower === 'postgres';
  return isStandIn && rest.length <= 2 && !/\p{N}{2}/u.test(rest);
}

const TYPE_WORDS = new Set(
  (
    'string str text bytes byte buffer number int integer float bool boolean char any unknown never object void symbol ' +
    'varchar nvarchar u8 u16 u32 u64 i32 i64 int32 int64 uint8 uint32 uint64 bytes32 base64 sha256 md5 utf8 bcrypt argon2id ' +
    'argon2 pbkdf2 oauth2 hs256 rs256 ed25519 self this await new function async const let var return if not encrypted hashed ' +
    'plaintext expired invalid missing wrong incorrect correct valid same unchanged disabled enabled environment'
  ).split(' '),
);

// What is said about a password rather than being one.
const STATUS = new Set(
  (
    'required optional mandatory missing empty wrong invalid incorrect correct valid expired expires changed unchanged reset ' +
    'rotated revoked hidden visible shown masked stored saved sent kept encrypted hashed salted protected forgotten lost ' +
    'leaked weak strong short long same different unknown known secret private public shared generated random none blank ' +
    'prompt prompted interactive stdin env vault disabled enabled authentication protection manager policy based only ' +
    'geändert erforderlich vergessen falsch richtig abgelaufen leer gesetzt notwendig pflicht geheim sicher unsicher ' +
    'obligatoire oublié incorrect expiré modifié requis vide requerida olvidada incorrecta obligatoria caducada vacía ' +
    'obrigatória esquecida incorreta vazia obbligatoria dimenticata errata scaduta vuota vereist vergeten onjuist ' +
    'wymagane zapomniane błędne nieprawidłowe wygasło обязателен неверный забыт 必須 不正 错误 必填'
  ).split(' '),
);

export function isStatus(value: string): boolean {
  return STATUS.has(value.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, ''));
}

// Endings by which programmers name types and variables that hold a secret.
const HOLDERS = (
  'password token secret key pwd pass str string type input field schema dto props value buffer bytes credential config ' +
  'options provider manager service response request hash ptr var arg param ref name id path file handler callback'
).split(' ');
const HOLDER = new RegExp(
  `(?:^|[_$])(?:${[...HOLDERS, ...HOLDERS.map((word) => word.toUpperCase())].join('|')})s?$|` +
    `(?:^|[a-z0-9_$])(?:${HOLDERS.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('|')})s?$`,
);

export function isHolderName(value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value) && !/[0-9]{2}|[a-z][0-9]+[a-z]/.test(value) && HOLDER.test(value);
}

// Unquoted values in source code: types, calls, member access, names of other variables.
export function isCode(value: string): boolean {
  const word = value.replace(/[;:,)\]}?!]+$/, '').replace(/^[&*?]+|\[\]/g, '');
  if (TYPE_WORDS.has(word.toLowerCase())) return true;
  if (/^[A-Za-z_$][\w$.:?]*[([<|]/.test(value)) return !/[)\]>][A-Za-z0-9]+$/.test(value);
  if (/^[A-Za-z_$]+(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][A-Za-z_$0-9]*)+$/.test(word)) return true;
  return value.startsWith(':') || value.includes('/*') || isHolderName(word.split('.').at(-1) ?? '');
}

// A file or address that leads to a secret is not one, unless a part of it looks random.
export function isLocation(value: string): boolean {
  // Credentials inside an address are found by their own rule.
  if (/^[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\//.test(value)) return true;
  const isPath = /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]/.test(value) || /^[\w.-]+(?:\/[\w.-]+){2,}$/.test(value);
  const isFile = /^[\w./-]+\.(?:pem|key|txt|json|ya?ml|toml|env|crt|cer|p12|pfx|jks|ts|js|py|md|html?|sh)$/.test(value);
  return (isPath || isFile) && !value.split(/[/\\]/).some((part) => part.length >= 20 && isMixed(part));
}

// Names such as `my-app-secret-v1`: words, perhaps with a version.
export function isSlug(value: string): boolean {
  return /^[A-Za-z][a-z]*(?:[-_./:][a-z]+|[-_.]v?[0-9]{1,2})+$/.test(value);
}

export function isMixed(value: string): boolean {
  return /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

// Letters alone can be random too: the case then changes far more often than between words.
export function flipsCase(value: string): boolean {
  return value.length >= 12 && [...value.matchAll(/[a-z](?=[A-Z])/g)].length >= value.length / 5;
}

// Bits per character, from the counts of the characters themselves.
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = [...value].length;
  let bits = 0;
  for (const count of counts.values()) bits -= (count / total) * Math.log2(count / total);
  return bits;
}
