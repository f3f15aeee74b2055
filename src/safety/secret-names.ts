import {
  type Finding,
  isMixed,
  isPlaceholder,
  isStandIn,
  isStrong,
  judgeLiteral,
  matchAt,
  type SecretName,
} from './secret-literals.ts';

type NamePosition = { label: string; name: SecretName; start: number; end: number };

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
  ['token', /(?:token|_auth|_pat|credential)s?$|令牌$|トークン$|токен$/u],
];
const LABEL = /(?:^|[_.-])(?:keys?|salt)$/;
const NOT_SECRET =
  /(?:^|[_.-])(?:next|prev|page|continuation|cursor|pad|eos|bos|unk|sep|cls|mask|max|min|num|public|site|publishable|cache|csrf|xsrf|cancel(?:lation)?|abort|injection|design|css|syntax|stop|special|redacted)[_.-]?(?:page[_.-]?)?(?:tokens?|keys?)$/;
// `DB_PASSWORD_PROD`, `password2`: a tail that says whose it is.
const TAIL =
  /[_.-]?(?:[0-9]{1,4}|prod|production|dev|development|staging|stage|test|live|qa|ci|local|value|data|old|new|current|base64|plain)$|[_.-](?:db|database|admin|root|user|app|mysql|postgres|redis|smtp|ldap|master|primary)$/;
// Most words of a text hold none of these, and need no closer look.
const HINT = once(
  () =>
    /pass|pwd|pswd|wort|woord|senord|adgang|salasana|has[lł]|hesl|jelsz|geslo|lozink|parool|parol|contrase|senha|ifre|sandi|khẩu|phrase|mnemonic|парол|лозинк|κωδικ|סיסמ|كلمة|पासवर्ड|รหัส|密|口令|パスワード|비밀번호|패스워드|암호|psk|secret|key|api|token|auth|credential|令牌|トークン|токен|schlüssel|salt|pepper|pw|_pat/iu,
);
const SEVERAL_WORDS =
  "mots? de passe|palavra passe|kata sandi|mật khẩu|كلمة (?:المرور|السر)|(?:seed|recovery|mnemonic) phrase|clés? (?:d['’])?api|(?:api|access|secret|private|signing|encryption|client|master|account|storage) (?:secret|access )?(?:key|secret|token)s?";
const NAME = once(
  () =>
    new RegExp(`(?<![\\p{L}\\p{N}_])(?:${SEVERAL_WORDS})(?![\\p{L}\\p{N}_])|[\\p{L}_][\\p{L}\\p{M}\\p{N}_.-]*`, 'giu'),
);

// Classes of Unicode take milliseconds to build, and a hook that loads this mostly scans nothing.
function once(build: () => RegExp): () => RegExp {
  let built: RegExp | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

// Every name of a secret in a text. Words repeat, so each is judged once.
export function namesIn(text: string): NamePosition[] {
  const known = new Map<string, SecretName | null>();
  const places: NamePosition[] = [];
  for (const { 0: label, index } of text.matchAll(NAME())) {
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

function classify(label: string): SecretName | null {
  if (!HINT().test(label)) return null;
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

type Value = { start: number; end: number; quoted: boolean };

const QUOTE = '(?:\\\\{0,7}["\'`]|\\*{1,2}|</?[a-z]{1,6}>)';
// How a value is tied to its name, as settings and programs write it.
const TIES = [
  // name = …, "name": …, name: Type = …, name[] := …, **Name:** …, Name (aside): …
  new RegExp(
    `${QUOTE}{0,2}[\\])?!]{0,2}(?:[ \\t]{0,3}\\([^()\\n]{1,40}\\))?[ \\t]{0,16}(?::[ \\t]{0,2}[&A-Za-z_][\\w<>[\\]. &']{0,30}=(?!=|[ \\t]*(?:[\\r\\n](?!\\s{0,80}["'\`])|[,}]|$))|:=|=>|->(?=[ \\t]*["'])|<-|={1,3}|!={1,2}|::?|：|%3[ADad])(?:\\*{1,2})?[ \\t]{0,16}(?:[|>][+-]?[ \\t]*\\r?\\n[ \\t]*)?`,
    'y',
  ),
  // <name>…</name>
  /["']?(?:\s{1,8}[\w:-]{1,40}="[^"\n]{0,80}"){0,3}>(?:\s{0,8}<[\w:-]{1,20}>)?(?:<!\[CDATA\[)?(?=[^<>\s]{1,512}(?:<\/|\]\]>))/y,
  // name: NAME, value: …
  /\\{0,7}["']?(?:,?\s{1,40}|,|\s{0,8}\{\s{0,40})\\{0,7}["']?(?:value|default)\\{0,7}["']?[ \t]*[:=][ \t]*/iy,
  // --name …, NAME '…', setName("…"), define('NAME', '…'), {name, "…"}
  /(?<=--[\w-]{1,60})[ \t]{1,4}(?=[^-\s])|[ \t]{1,4}(?=@?["'`])|\([ \t]{0,4}(?=["'`])|["'](?:,[ \t]{0,16}|[ \t]{1,4}to[ \t]{1,4})(?=["'])|(?<=\{\w{1,60}),[ \t]{0,4}(?=["'])/y,
  // env.NAME || '…', ENV['NAME'] ?: '…', var("NAME").unwrap_or("…"), find("name").send_keys("…")
  /["'\])]{0,4}[ \t]{0,4}(?:\|\||\?\?|\?:|\bor\b|\.(?:unwrap_or\w{0,5}|or_?else\w{0,3}|get_?or_?default|default|send_?keys|type|fill|set\w{0,20})\((?:\|\w{0,9}\|)?)[ \t]{0,4}(?=["'`])/iy,
  // variable "name" { … default = …, <key>name</key><string>…
  /["'][ \t]{0,4}\{[^{}]{0,300}?\bdefault[ \t]{0,16}=[ \t]{0,4}(?=["'])|<\/key>\s{0,40}<string>/y,
];
// ENV NAME …, requirepass …, `user x password 0 …`: on a line of its own, to its end.
const BLANK =
  /(?<=^[ \t]{0,40}(?:(?:ENV|ARG|set[a-z]{0,3}|export|enable|-\w{1,4}|user(?:name)?[ \t]{1,4}\S{1,40}|privilege[ \t][0-9]{1,2})[ \t]{1,4}){0,4}[\w.-]{1,60})[ \t]{1,8}(?:[05][ \t])?(?=(\S{8,200})[ \t]{0,8}$)/my;
// As people say it: the password is …, use the password …
const SAID = /[ \t]{1,3}(?:(?:is|was|ist|est|es|è|to|now|still|always)[ \t]{1,3}){0,2}(?=["'`]?[^\s"'`]{0,200}[0-9])/iy;
// What only turns a text into bytes or a secure text: []byte("…"), Buffer.from('…').
const WRAPPER =
  /(?:new[ \t]{1,4})?[&*]?(?:\[\]byte|[\w.:]{0,60}(?:bytes|buffer|from|64_?decode|fromhex|unhexlify|atob|securestring|secret\w{0,8}|string|some))\([ \t]{0,4}(?=[bruN@]?["'`])/iy;
// What stands before a literal that holds where nothing else does: settings.db || '…', config.get('db') ?? '…', isDev ? '…', ENV.fetch("X") { "…" }.
const FALLBACK =
  /[A-Za-z_$][\w$.?()[\]-]{0,80}(?:["'][\w.-]{0,40}["'][)\]]{1,2})?[ \t]{0,4}(?:\|\||\?\?|\?|\{)[ \t]{0,4}(?=["'`])/y;
const UNTIL_BLANK = /^["']?[^\s"';]+/;
// A formatter sets a long value on the line after its name, in brackets or not, and a shell reads it from there.
const NEXT_LINE =
  /[([{]?[ \t]{0,8}\r?\n[ \t]{0,80}(?=@?(["'`])(?!\1)[^\s"'`]{1,512}\1(?![ \t]*[:=]))|\$\(\w{1,8}[ \t]{1,4}<<-?["']?\w{1,20}["']?[ \t]{0,4}\r?\n[ \t]{0,40}/y;
// A text of several lines may begin on the next one.
const OPENED = /(?<="""|'''|`)[ \t]{0,4}\r?\n[ \t]{0,80}/y;
const LIST = /["'`]?[ \t]{0,8}[:=][ \t]{0,8}(?:\[\s{0,40}|\r?\n[ \t]{0,40}[-*][ \t]+)/y;
const NEXT_ITEM = /["'`]?(?:,\s{0,40}|\r?\n[ \t]{0,40}[-*][ \t]+)/y;
const SCHEME = /(?:Bearer|Token|ApiKey|Api-Key|SSWS|Bot|Key)[ \t]+/iy;
// Some languages mark a text by a letter before it: N'…', b"…".
const DELIMITER = /(?:[NEBRUnebru@$](?=["']))?\\{0,7}(?:"""|'''|["'`])/y;
// Markdown sets words apart by it.
const EMPHASIS = /\*{1,3}(?=[^\s*])/y;
const UNQUOTED = /[a-z]{4}(?: [a-z]{4}){3}(?![^\s])(?! +\w)|(?:[^\s"'`<>]|(?<=[^\\\s])["'](?=[A-Za-z0-9])){1,256}/y;
const MAX_UNQUOTED = 256;
const REST = /[^\s"'`<>]*/y;

// Literals that are given to names such as `db.password`.
export function findAssignments(text: string, names: NamePosition[]): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  let listed = 0;
  for (const { label, name, start, end } of names) {
    if (start < done) continue;
    // A name inside a list that was walked already starts no walk of its own, or nested lists would take for ever.
    const list = start >= listed ? matchAt(LIST, text, end) : null;
    let at: number | null = list === null ? endOfTie(text, end) : end + list.length;
    const blank =
      at === null ? (matchAt(BLANK, text, end) ?? (name.of === 'password' && matchAt(SAID, text, end))) : null;
    const first = (blank && UNTIL_BLANK.exec(text.slice(end + blank.length, end + blank.length + 200))?.[0]) || '';
    if (blank && isStrong(first.replace(/^["'`]|["'`]?[.,:)]*$/g, ''))) at = end + blank.length;
    while (at !== null) {
      const value = valueAt(text, at);
      if (!value) break;
      const isField = value.quoted && /^"[ \t]*:/.test(text.slice(end, end + 8));
      const how = { label, quoted: value.quoted, isField };
      const certainty = judgeLiteral(text.slice(value.start, value.end), name, how);
      if (certainty) {
        const isCut = !value.quoted && value.end - value.start === MAX_UNQUOTED;
        done = value.end + (isCut ? (matchAt(REST, text, value.end)?.length ?? 0) : 0);
        findings.push({ kind: name.kind, start: value.start, end: done, certainty });
      }
      const next: string | null = list === null ? null : matchAt(NEXT_ITEM, text, value.end);
      at = next === null ? null : value.end + next.length;
      if (list !== null) listed = value.end;
    }
  }
  return findings;
}

// For a field of parsed data, where the name is apart from its value: no word of code can be there.
export function findInField(value: string, label: string): Finding[] {
  const whole = (kind: string): Finding[] => [{ kind, start: 0, end: value.length, certainty: 'certain' }];
  if (/auth$/i.test(label) && holdsUserAndPassword(value)) return whole('basic_auth');
  const name = classify(label);
  if (!name || isStandIn(value, label)) return [];
  const isPassword = name.of === 'password' && value.length >= 4 && value.length <= 240 && !isSentence(value);
  const isShortKey = value.length >= 8 && /^[\w+/=.~:%-]+$/.test(value) && /[0-9]/.test(value) && isMixed(`${value}aA`);
  const isKey = name.of === 'key' && (isShortKey || judgeLiteral(value, name, { label, quoted: true }) !== null);
  return isPassword || (isKey && !isSentence(value)) ? whole(name.kind) : [];
}

// Several words are a passphrase only where no word of a sentence is among them.
function isSentence(value: string): boolean {
  const words =
    /(?:^|\s)(?:the|a|an|is|are|must|your|enter|please|for|to|of|at|and|or|not|be|no|password|in|with|on|de|le|la|el|der|die|das|ist|und|oder|mit|muss|il|per|con|è|o)(?=\s|[.,:!?]?$)/i;
  return /\s/.test(value) && (words.test(value) || /[.!?…]$/.test(value));
}

function endOfTie(text: string, end: number): number | null {
  for (const pattern of TIES) {
    const tie = matchAt(pattern, text, end);
    if (tie === null) continue;
    const after = end + tie.length;
    const next = matchAt(NEXT_LINE, text, after);
    if (next !== null || !/^[ \t]*\r?\n/.test(text.slice(after, after + 8))) return after + (next?.length ?? 0);
  }
  return null;
}

function valueAt(text: string, place: number): Value | null {
  const past = place + (matchAt(FALLBACK, text, place)?.length ?? 0);
  const from = past + (matchAt(WRAPPER, text, past)?.length ?? 0);
  const delimiter = matchAt(DELIMITER, text, from) ?? matchAt(EMPHASIS, text, from) ?? '';
  const inside = from + delimiter.length;
  const opened = inside + (matchAt(OPENED, text, inside)?.length ?? 0);
  const start = opened + (matchAt(SCHEME, text, opened)?.length ?? 0);
  if (delimiter) {
    const length = closingQuote(text.slice(start, start + 2048), delimiter.replace(/^[A-Za-z@$]/, ''));
    if (length >= 0) return { start, end: start + text.slice(start, start + length).trimEnd().length, quoted: true };
  }
  const run = matchAt(UNQUOTED, text, start);
  if (!run) return null;
  // The next field of a query, a connection string or an escaped line is not part of the value.
  const cut = run.search(/\\+[nrt]|%26|[;&,|?](?=[\p{L}_][\p{L}\p{N}_.-]{0,40}[=:][^=\s])|\[redacted:|\]\]>/u);
  let length = cut >= 0 ? cut : run.length;
  while (length > 0 && /[,;:.)}\]|\\*]/.test(run.charAt(length - 1))) length -= 1;
  return length > 0 ? { start, end: start + length, quoted: false } : null;
}

// Inside JSON in JSON a closing quote has as many backslashes as the opening one; an inner quote has more.
function closingQuote(rest: string, delimiter: string): number {
  const quote = delimiter.replace(/^\\+/, '');
  const depth = delimiter.length - quote.length;
  for (let at = rest.indexOf(quote); at >= 0; at = rest.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (rest[at - 1 - slashes] === '\\') slashes += 1;
    const isOneLine = quote.length === 3 || quote === '`' || !rest.slice(0, at).includes('\n');
    if (!isOneLine) return -1;
    if (slashes <= depth || (depth === 0 && slashes % 2 === 0)) return at - Math.min(slashes, depth);
  }
  return -1;
}

export function holdsUserAndPassword(base64: string): boolean {
  try {
    const [, password = ''] = /^[\x20-\x7e]{1,}?:([\x20-\x7e]+)$/.exec(atob(base64)) ?? [];
    return password.length >= 4 && !isPlaceholder(password);
  } catch {
    return false;
  }
}
