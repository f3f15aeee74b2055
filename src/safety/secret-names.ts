/** `password` may be any word; a `key` is made by a machine and looks like it; a `label` names much else besides. */
export type SecretName = { kind: string; of: 'password' | 'key' | 'label' };
export type NamePosition = { label: string; name: SecretName; start: number; end: number };

// "Password" in the languages that people write their settings in; compounds such as `DB-Passwort` end in it.
const PASSWORD_WORDS = [
  'password|passwd|pswd|pwd|passphrase|pass_phrase|passwort(?:es|s)?|kennwort|mot_?de_?passe|contrase[nñ]a|senha|palavra[_-]passe',
  'wachtwoord|l[oö]senord|passord|adgangskode|salasana|has[lł]o|heslo|jelsz[oó]|geslo|lozinka|parool|parol[aă]|[sş]ifre|kata_sandi|mật_khẩu',
  'парол[ья]|парола|лозинка|κωδικός|סיסמה|كلمة_(?:المرور|السر)|पासवर्ड|รหัสผ่าน|密码|密碼|口令|パスワード|비밀번호|패스워드|암호',
  'psk|pre_?shared_?key|seed_?phrase|recovery_?phrase|mnemonic(?:_phrase)?|master_?auth',
].join('|');
const PASSWORD = new RegExp(
  `(?:${PASSWORD_WORDS})s?$|[_.-](?:pass|pw)$|[a-z]{3}pw$|[a-z]{2}pass$(?<!(?:by|com|sur|tres|under|over)pass)`,
  'u',
);
// Whole words; inside a sentence they mean something else.
const SHORT_PASSWORD = /^(?:pass|pw|pwd)$/;
const KEY_OWNERS =
  'api|access|account|auth|signing|encryption|master|shared|service|storage|app|application|deploy|subscription|webhook|session|hmac|jwt|admin|integration|ingest|secret|private|bot|consumer|developer|server|write|root|client|cipher|license|fernet|validation|decryption|functions|instrumentation|machine|rndc|tsig';
const KEYS: [kind: string, pattern: RegExp][] = [
  ['secret', /(?:secret|pepper|(?:secret|private)[_.-]?(?:access[_.-]?)?key(?:[_.-]?base)?)s?$/],
  ['authorization', /authorization$/],
  [
    'api_key',
    new RegExp(`(?:${KEY_OWNERS})[_.-]?keys?$|(?:cl[eé]s?|clave|chave)_(?:d_|de_)?api$|api[_-]?schlüssel$`, 'u'),
  ],
  ['token', /(?:token|_auth|credential)s?$|令牌$|トークン$|токен$/u],
];
const LABEL = /(?:^|[_.-])(?:keys?|salt)$/;
const NOT_SECRET =
  /(?:^|[_.-])(?:next|prev|page|continuation|cursor|pad|eos|bos|unk|sep|cls|mask|max|min|num|public|site|publishable|cache|csrf|xsrf|cancel(?:lation)?|abort|injection|design|css|syntax|stop|special|redacted)[_.-]?(?:page[_.-]?)?(?:tokens?|keys?)$/;
// `DB_PASSWORD_PROD`, `password2`: a tail that says whose it is.
const TAIL =
  /[_.-]?(?:[0-9]{1,4}|prod|production|dev|development|staging|stage|test|live|qa|ci|local|value|data|old|new|current|base64|plain)$|[_.-](?:db|database|admin|root|user|app|mysql|postgres|redis|smtp|ldap|master|primary)$/;
// Most words of a text hold none of these, and need no closer look.
const HINT =
  /pass|pwd|pswd|wort|woord|senord|adgang|salasana|has[lł]|hesl|jelsz|geslo|lozink|parool|parol|contrase|senha|ifre|sandi|khẩu|phrase|mnemonic|парол|лозинк|κωδικ|סיסמ|كلمة|पासवर्ड|รหัส|密|口令|パスワード|비밀번호|패스워드|암호|psk|secret|key|api|token|auth|credential|令牌|トークン|токен|schlüssel|salt|pepper|pw/iu;
const SEVERAL_WORDS =
  "mots? de passe|palavra passe|kata sandi|mật khẩu|كلمة (?:المرور|السر)|(?:seed|recovery|mnemonic) phrase|clés? (?:d['’])?api|(?:api|access|secret|private|signing|encryption|client|master|account|storage) (?:secret|access )?(?:key|secret|token)s?";
const NAME = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${SEVERAL_WORDS})(?![\\p{L}\\p{N}_])|[\\p{L}_][\\p{L}\\p{M}\\p{N}_.-]*`,
  'giu',
);

// Every name of a secret in a text. Words repeat, so each is judged once.
export function namesIn(text: string): NamePosition[] {
  const known = new Map<string, SecretName | null>();
  const places: NamePosition[] = [];
  for (const { 0: label, index } of text.matchAll(NAME)) {
    let name = known.get(label);
    if (name === undefined) {
      name = classify(label);
      if (known.size < 10_000) known.set(label, name);
    }
    if (name && !text.startsWith('[redacted:', index - 10))
      places.push({ label, name, start: index, end: index + label.length });
  }
  return places;
}

export function namesSecret(label: string): boolean {
  return classify(label) !== null;
}

export function classify(label: string): SecretName | null {
  if (!HINT.test(label)) return null;
  const plain = label
    .slice(-100)
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .replace(/(?<=[\p{L}\p{N}])[ '’]+(?=[\p{L}\p{N}])/gu, '_')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+$/u, '');
  const once = plain.replace(TAIL, '');
  for (const name of [plain, once, once.replace(TAIL, '')]) {
    if (NOT_SECRET.test(name)) return null;
    if (PASSWORD.test(name) || SHORT_PASSWORD.test(name)) return { kind: 'password', of: 'password' };
    const key = KEYS.find(([, pattern]) => pattern.test(name));
    if (key) return { kind: key[0], of: 'key' };
  }
  return LABEL.test(once) ? { kind: 'secret', of: 'label' } : null;
}
