// `everyday` words also mean something else, `digits` name codes of a few digits.
type Strength = 'password' | 'secret' | 'token' | 'weak' | 'everyday' | 'digits';
export type SecretName = { kind: string; strength: Strength };

// "Password" as people write it; compounds such as `DB-Passwort` end in it.
const PASSWORD_WORDS = [
  ...['password', 'passwd', 'pswd', 'pwd', 'passphrase', 'passkey', 'passwort', 'kennwort', 'wachtwoord', 'lösenord'],
  ...[
    'passord',
    'adgangskode',
    'salasana',
    'lykilorð',
    'hasło',
    'haslo',
    'heslo',
    'jelszó',
    'jelszo',
    'geslo',
    'lozinka',
  ],
  ...[
    'slaptažodis',
    'parool',
    'contraseña',
    'contrasena',
    'contrasenya',
    'pasahitza',
    'senha',
    'parolă',
    'şifre',
    'şifresi',
  ],
  ...[
    'motdepasse',
    'mot_de_passe',
    'mots_de_passe',
    'palavra_passe',
    'palavra-passe',
    'kata_sandi',
    'mật_khẩu',
    'pass_phrase',
    'pass_word',
  ],
  ...['parola_d_ordine', 'clave_de_acceso', 'código_de_acceso', 'code_d_accès', 'zugangscode', 'zugangskennung'],
  ...['seed_phrase', 'recovery_phrase', 'secret_phrase', 'mnemonic', 'mnemonic_phrase', 'seedphrase', 'backup_phrase'],
  ...['пароль', 'пароля', 'парола', 'лозинка', 'κωδικός', 'συνθηματικό', 'סיסמה', 'סיסמא', 'كلمة_المرور', 'كلمة_السر'],
  ...['पासवर्ड', 'รหัสผ่าน', '密码', '密碼', '口令', 'パスワード', '暗証番号', '비밀번호', '패스워드'],
];
// Languages that bend their nouns: `Passwortes`, `lösenordet`, `hasłem`.
const BENT_WORDS =
  'passwort|kennwort|lösenord|passord|adgangskode|salasan|hasł|hesl|jelsz|lozink|wachtwoord|contraseñ|senha|şifre|парол|κωδικ|slaptažod';
const EVERYDAY_WORDS =
  'pass|pw|parola|parole|clave|mdp|sifre|sandi|암호|code_secret|access_code|login_code|zugang|losung';
const CODE_WORDS =
  'pin|pin_?code|pin_?number|puk|otp|totp_code|mfa_code|2fa_code|sms_?code|tan|cvv2?|cvc2?|cvn|card_security_code|security_code|verification_code|one-?_?time_(?:code|password)|unlock_code|door_code|gate_code|alarm_code|safe_code|einmalcode|sicherheitscode|passcode|geheimzahl|code_pin';

// Names of several words, as prose has them.
const SEVERAL_WORDS =
  "mots? de passe|palavra[- ]passe|kata sandi|mật khẩu|parola d['’]ordine|clave de acceso|c[oó]digo de acceso|code d['’]accès|كلمة (?:المرور|السر)|pass (?:phrase|word)|(?:seed|recovery|secret|backup|mnemonic) phrase|(?:recovery|backup|access|security|verification|unlock|door|gate|alarm|safe|pin|one[- ]time|sms|mfa|2fa|login) (?:codes?|keys?|passwords?|number)|card security code|api[- ](?:schlüssel|sleutel|nyckel|klucz)|clés? (?:d['’])?api|clés? (?:secrète|privée)|clave (?:de )?api|chave (?:de )?api|api[- ]ключ|(?:api|access|secret|private|signing|encryption|auth|account|shared|client|master|storage|service|deploy|license|webhook|bot|admin|subscription|pre-?shared|app|application|user|login|wifi|wi-fi|wlan|root|database|db)[ -](?:secret[ ](?:access[ ])?key|access[ ]key|secret|key|token|password|passphrase|pwd|pw)s?";
const NAME = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${SEVERAL_WORDS})(?![\\p{L}\\p{N}_])|[\\p{L}_][\\p{L}\\p{N}_.-]*`,
  'giu',
);

const ends = (words: string) => new RegExp(`(?:^|[_.-])(?:${words})$`, 'u');
const NAMES: [kind: string, strength: Strength, pattern: RegExp][] = [
  ['code', 'digits', ends(CODE_WORDS)],
  ['password', 'password', new RegExp(`(?:${PASSWORD_WORDS.join('|')})$`, 'u')],
  ['password', 'password', new RegExp(`(?:${BENT_WORDS})\\p{L}{0,4}$`, 'u')],
  [
    'password',
    'password',
    /[_.-]pass$|secure_string$|[_.-]pw$|[a-z]pass$(?<!by_?pass|com_?pass|sur_?pass|tres_?pass|under_?pass|over_?pass)/,
  ],
  [
    'password',
    'password',
    ends(
      'psk|(?:wpa|wifi|wi-fi|wlan)[_.-]?(?:key|passphrase|psk)|pre-?_?shared_?key|recovery_(?:code|key)|backup_code',
    ),
  ],
  ['password', 'everyday', new RegExp(`^(?:${EVERYDAY_WORDS})$`, 'u')],
  ['authorization', 'token', /authorization$/],
  [
    'secret',
    'secret',
    /(?:secret|(?:secret|private)[_.-]?(?:access[_.-]?)?key(?:[_.-]?base)?|geheimnis|secreto|segredo|секрет|シークレット|私钥|秘密鍵|clé_(?:secrète|privée))$/u,
  ],
  ['token', 'token', /(?:token|bearer|[._-]auth|^_auth|session_?id|sessid|otp_?seed|jeton|токен|令牌|トークン|토큰)$/u],
  [
    'api_key',
    'token',
    /(?:api|access|account|auth|signing|encryption|master|shared|service|storage|app|application|deploy|subscription|licen[cs]e|webhook|session|crypto|hmac|jwt|ssh|cipher|admin|integration|ingest|ingestion|instrumentation|secret|bot|consumer|developer|dev|rest|server|write|root|vault|unseal|unlock|bearer|client|product|activation|serial|decryption|aes|des|fernet|nacl|sodium)[_.-]?key$/,
  ],
  [
    'api_key',
    'token',
    /api[_-]?(?:schlüssel|sleutel|nyckel|klucz|ключ|キー|密钥|키)$|(?:clés?|clave|chave)_(?:d_|de_)?api$/u,
  ],
  ['secret', 'weak', /(?:key|auth|credentials?|creds|salt|signature|密钥|ключ|schlüssel)$/u],
];
// Most words of a text hold none of these, and need no closer look.
const HINT = new RegExp(
  [
    'pass|pasahitza|pwd|pswd|wort|woord|senord|adgang|salasana|lykil|has[lł]|hesl|jelsz|geslo|lozink|slapta|parool|parol|contrase|senha|[sş]ifre|sandi',
    'mật|mnemonic|phrase|clave|chave|clé|c[oó]d[ie]|парол|лозинк|κωδικ|συνθημ|סיסמ|كلمة|पासवर्ड|รหัส|密|口令|パスワード|暗証|비밀번호|패스워드|암호',
    'token|jeton|токен|令牌|トークン|토큰|bearer|auth|sess|seed|key|sleutel|nyckel|klucz|ключ|キー|키|schlüssel|私钥|secret|geheim|segredo|секрет|シークレット|cred',
    'salt|signature|psk|pin|puk|otp|tan|cvv|cvc|cvn|mdp|pw|zugang|losung|secure[-_]?string',
  ].join('|'),
  'iu',
);
const NOT_SECRET =
  /(?:^|[_.-])(?:next|prev|page|continuation|cursor|pad|eos|bos|unk|sep|cls|mask|max|min|num|pub|public|cache|primary|foreign|sort|partition|object|idempotency|translation|host|row|group|map|hot|sync|cancellation|redacted|publishable|known|verify|verifying|unique|index|lookup|storage_?path|json|config|dict|label|stop|special)[_.-]?(?:page[_.-]?)?(?:tokens?|keys?)$/;
// `DB_PASSWORD_PROD`, `password2`: the secret word may carry a tail that says whose it is.
const TAIL =
  /[_.-]?(?:[0-9]{1,4}|prod|production|dev|develop|development|staging|stage|stg|test|testing|live|qa|uat|ci|local|value|val|old|new|current|previous|base64|b64|plain|plaintext|raw|main|backup|eu|us)$|[_.-](?:db|database|admin|root|user|app|web|mysql|postgres|redis|smtp|ldap|wifi|wlan|master|read|write|ro|rw|primary|secondary|[a-z])$/;

export type NamePlace = { label: string; name: SecretName; start: number; end: number };

// Every name of a secret in a text. Words repeat, so each is judged once.
export function namesIn(text: string): NamePlace[] {
  const known = new Map<string, SecretName | null>();
  const places: NamePlace[] = [];
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
  const bare = withoutTail(plain);
  if (NOT_SECRET.test(plain) || NOT_SECRET.test(bare)) return null;
  const found = NAMES.find(([, , pattern]) => pattern.test(bare) || pattern.test(plain));
  return found ? { kind: found[0], strength: found[1] } : null;
}

// The singular, and at most two tails shorter.
function withoutTail(name: string): string {
  const once = name.replace(TAIL, '');
  const twice = once.replace(TAIL, '');
  const isName = (text: string) => NAMES.some(([, , pattern]) => pattern.test(singular(text)));
  if (isName(name)) return singular(name);
  return singular(isName(once) ? once : twice);
}

function singular(name: string): string {
  return name
    .replace(/(?<=password|passwort|kennwort|secret|token|key|pin|code|passphrase|pwd)s$/, '')
    .replace(/(?<=passw)örter$|(?<=passw)oerter$/, 'ort');
}
