/** `password` may be any word; a `key` is made by a machine and looks like it; a `label` names much else besides. */
export type SecretName = { kind: string; of: 'password' | 'key' | 'label' };

// Words that are where a secret would be.
const STAND_IN =
  /your|example|sample|changeme|change|placeholder|dummy|fake|redacted|hidden|masked|removed|insert|replace|todo|enter|here|foobar|foo|bar|baz|qux|testing|tests?|my(?=[-_ ])|some|the(?=[-_ ])|default|demo|mock|null|none|nil|undefined|empty|unset|required|optional|true|false|tbd|abc(?:def)?(?:ghi)?|xyz|123(?:4(?:5(?:6(?:7(?:89?0?)?)?)?)?)?|hello|world|invalid|wrong|correct|valid|good|bad|old|new|first|second|another|other|super|very|long|short|random|simple|plain|strong|weak|safe|unsafe/g;
// What such values are built from besides.
const FILLER =
  /password|passwd|passwort|kennwort|passphrase|pass|pwd|pw|sekrit|secret|token|apikey|api|key|access|refresh|auth|bearer|client|user(?:name)?|admin|root|postgres|mysql|redis|guest|db|database|value|string|goes|with|app|and|is|a|in|this|me|it|to|of|for|an|the|not|no|id|v(?=[0-9])/g;
const REFERENCE =
  /^\$[A-Za-z_][A-Za-z0-9_]*$|^\$[{(]|^\{|^\([\w .-]*(?:\)|$)|^#\{|^<|^%[A-Za-z_]\w*%$|^%[a-z]$|^%\(|^\[|^@|^!(?:vault|Ref|Sub|GetAtt|env)|^(?:process\.env|os\.|getenv|import\.meta|ENV\[|env[.:(]|secrets\.|vault:|op:\/\/|arn:|ref\+|ENC[[(]|System\.)|\$\{|\{\{|\{[\w.]*\}|%[sd]$|%\(\w+\)/i;

// Variables, templates, masks, "your-password-here": what is where a secret would be.
export function isPlaceholder(value: string): boolean {
  if (value.length === 0 || value.length > 512) return value.length === 0;
  if (/^(.)\1*$/su.test(value) || /\*{3}|•{3}|\.{3}|…|xxxx/iu.test(value) || !/[\p{L}\p{N}]/u.test(value)) return true;
  if (REFERENCE.test(value)) return true;
  const rest = value
    .toLowerCase()
    .replace(STAND_IN, '')
    .replace(FILLER, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return rest.length <= 2 && rest.length < value.length / 2;
}

// A file or address that leads to a secret is not one.
function isLocation(value: string): boolean {
  return (
    /^[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value) ||
    (/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]|^[\w.-]+(?:\/[\w.-]+){2,}$/.test(value) && !isMixed(value)) ||
    /^[\w./-]+\.(?:pem|key|txt|json|ya?ml|toml|env|crt|cer|p12|pfx|jks|[cm]?[jt]sx?|py|rb|go|rs|md|html?|sh)$/.test(
      value,
    )
  );
}

// Letters with at most three digits after them, joined by signs; four digits only by themselves. Each character has one reading:
// an underscore that was a letter and a sign at once made a long name take more than minutes.
const JOINED_NAMES = (() => {
  const word = '[A-Za-z_$]+(?:[0-9]{0,3}|(?<=[A-Za-z_$]_v?)(?<![0-9]__v?)[0-9]{4})';
  const sign = '(?:[-.:/]|->|\\?\\.|(?<=[0-9])_)';
  return new RegExp(`^${word}(?:${sign}(?:${word}|[0-9]{1,3}|v?[0-9]{4}))*$`);
})();

// `Harbor-Velvet-585`: no name is written so, but for that of a version.
const PASSPHRASE = /^(?:[A-Z][a-z]{2,}[-.!+]){2,6}(?!(?:19|20)[0-9]{2}$)[0-9]{2,6}$/;

// Names of programs: `user_token_2`, `oauth2`, `sha256`, `MyClass2`, `next-auth.v5`, and calls.
function isIdentifier(value: string): boolean {
  return (
    JOINED_NAMES.test(value) ||
    /^[A-Za-z_$][\w$.:?]*[([<|]|\(\)|=>/.test(value) ||
    /^(?:sha|md|aes|rsa|utf|base|hs|rs|es|ps|ed|x|argon|oauth|bcrypt|pbkdf)-?[0-9][\w-]{0,12}$/i.test(value) ||
    /^(?:[a-z]+|[A-Z]?[a-z]+(?:[A-Z][a-z]*)*)(?:2|64|256|512|32|8)(?:[A-Z][a-z]+)+$/.test(value)
  );
}

export function isStandIn(value: string, label: string): boolean {
  return isPlaceholder(value) || isPlaceholder(decoded(value)) || isLocation(value) || repeats(label, value);
}

// As a Kubernetes Secret writes it; what is not base64 of a text stays as it is.
export function decoded(value: string): string {
  if (!/^[A-Za-z0-9+/]{6,}={0,2}$/.test(value) || value.length % 4 !== 0) return value;
  const text = atob(value);
  return /^[\x20-\x7e\n]+$/.test(text) ? text.trim() : value;
}

// How sure it is that a value given to a name is the secret itself; null: it is none.
export function judgeLiteral(
  written: string,
  name: SecretName,
  { label, quoted, isField = false }: { label: string; quoted: boolean; isField?: boolean },
): Certainty | null {
  if (quoted && isNoise(written)) return 'certain';
  // `{noop}…` of Spring, `\\"…\\"` of a text in a text.
  if (name.of === 'label' && !/^["'\\]{0,2}base64:/.test(written) && !isMixed(written) && !/[0-9a-f]{32}/.test(written))
    return null;
  const plain = FOUR_BY_FOUR.test(written) ? written.replaceAll(' ', '') : unescaped(written);
  const value = plain.replace(/^\{(?:noop|plain|clear)\w{0,8}\}|^\\?["']|\\?["']$/gi, '');
  if (isStandIn(value, label)) return null;
  if (name.of === 'label') return isMachineMade(value, label) ? 'certain' : null;
  if (name.kind === 'secret' && isStrong(value)) return 'certain';
  return name.of === 'password' ? judgePassword(value, { quoted, isField }) : judgeKey(value, { label, quoted });
}

/** As some mail servers show a password of theirs. */
const FOUR_BY_FOUR = /^[a-z]{4}(?: [a-z]{4}){3}$/;

// Printable characters of every kind in a long row, as salts are thrown: no word, no code.
function isNoise(value: string): boolean {
  const kinds = [/[a-z]/g, /[A-Z]/g, /[0-9]/g, /[!-/:-@[-`{-~]/g].map((kind) => value.match(kind)?.length ?? 0);
  const isWord = /[a-z]{7}|[A-Z]{9}|[0-9]{9}|[A-Za-z]{14}/.test(value);
  return value.length >= 40 && kinds.every((count) => count >= value.length / 20) && !isWord && entropyOf(value) >= 4.6;
}

// As it was before it went into an address.
export function unescaped(value: string): string {
  return value.replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

function judgePassword(value: string, { quoted = true, isField = false } = {}): Certainty | null {
  // Of a script without blanks so many letters are a sentence.
  if (value.length < 6 || /\s|[\u3040-\u9fff]{6}/.test(value) || isTime(value)) return null;
  const hasLetter = /\p{L}/u.test(value);
  const hasDigit = /\p{N}/u.test(value);
  if (isScrambled(value, quoted ? 0.4 : 0.5)) return 'certain';
  const isRandom = hasLetter && (hasDigit || /[!@#$%^&*+~?]/.test(value));
  if (!isRandom || /^!{0,2}[\w$]+(?:\.[\w$]+)+$|[([\]{}<>|]|\\[0nrtux]|^[A-Z]+(?:_[A-Z0-9]+)+$/.test(value))
    return null;
  // Letters and at most three digits after them are also how a variable or a test's user is called; in a field of JSON none can be.
  return isIdentifier(value) && !isField && !PASSPHRASE.test(value) ? (hasDigit ? 'possible' : null) : 'certain';
}

// For names that are called so in every program: `key`, `salt`.
function isMachineMade(value: string, label: string): boolean {
  const text = value.replace(/^base64:/, '');
  if (text !== value) return text.length >= 40 && entropyOf(text) >= 4;
  if (/salt$/i.test(label) && /^[0-9a-f]{32,128}$/.test(text)) return entropyOf(text) >= 3;
  return text.length >= 32 && isStrong(text) && isMixed(text) && entropyOf(text) >= 4;
}

function judgeKey(value: string, { label, quoted }: { label: string; quoted: boolean }): Certainty | null {
  if (value.length < 8 || !/^[\w+/=.~:%!@#$^&*|-]+$/.test(value) || isTime(value)) return null;
  const isLetters = quoted && isScrambled(value);
  if (isIdentifier(value) && !isLetters) return null;
  const isRandom = /[0-9]/.test(value) && /[A-Za-z]/.test(value) && (/[0-9][^0-9]+[0-9]/.test(value) || isMixed(value));
  if ((!isRandom && !isLetters) || isWords(value) || /^urn:|example|x{4}/i.test(value)) return null;
  if (value.length < 16)
    return quoted && isMixed(value) && /[0-9][a-z]/.test(value) && !/[.:]/.test(value) ? 'possible' : null;
  if (entropyOf(value) < 3) return null;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return /api_?key|secret$/i.test(label) ? 'certain' : 'possible';
  return value.length >= 20 && (quoted || !/[.(]/.test(value)) ? 'certain' : 'possible';
}

// Names of algorithms, hosts and connection strings are where secrets are too.
const NOT_RANDOM =
  /^(?:[a-z]+[-_/]?)?(?:aes|rsa|des|ecdsa|hmac|sha|md5|pkcs|pbkdf|x509|utf)[-_/]?[0-9a-z]{0,3}(?:[-_/w]|$)|[=;][A-Za-z]|^[\w.+-]+@[\w-]+\.|^[\w-]+(?:\.[\w-]+)+(?::[0-9]+)?$|^[#.[&?]|\\[wdsnrtb.]|[()<>{}[\]|]|example|x{4}|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}/i;

/** Random enough to be a secret where only the place says so. */
export function isStrong(value: string): boolean {
  if (value.length < 8 || isStandIn(value, '') || NOT_RANDOM.test(value)) return false;
  if (PASSPHRASE.test(value)) return true;
  if (isWords(value)) return false;
  if (judgePassword(value) !== 'certain') return false;
  const hasSign = /[!@#$%^&*+~?]/.test(value);
  return (
    (isScrambled(value) && /[^a-z]/.test(value)) ||
    (/[0-9]/.test(value) && (isMixed(value) || hasSign || value.length >= 20))
  );
}

// `sha256-of-what-was-signed`: most of it are words.
function isWords(value: string): boolean {
  const words = value.split(/[-_.:/~%=+]+/).filter((part) => /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|[0-9]{1,4})$/.test(part));
  return words.length >= 2 && words.join('').length > value.length / 2;
}

function isTime(value: string): boolean {
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}|^[~^]?v?[0-9]+\.[0-9]+\.[0-9]+/.test(value);
}

// `CHALLENGE_PASSWORD: "challengePassword"` says its own name.
function repeats(label: string, value: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return plain(value).length >= 4 && plain(label).endsWith(plain(value));
}

// The pairs of letters that nine in ten places of a word hold, by the first: counted over the names and texts of 2,500 files.
const PAIRS = new Set(
  'abcdgilmnprstuy baeiloru caehklmortu dadeilou eacdefglmnpqrstvxy faeior geinr haeior iacdefghlmnoprstvz ke ladeiklostuy mabeiops nacdefginopstv obcdklmnoprstuvw paeiloprstu qu racdeikmnorstuy sacehiopstu tacehiorstuy uelmnprst vaeip waeos xpt yp zeo'
    .split(' ')
    .flatMap(([first, ...next]) => next.map((letter) => `${first}${letter}`)),
);

/** Letters as a machine throws them, with or without digits and signs: they go up and down as no name does, or meet as in no word. */
export function isScrambled(value: string, share = 0.4): boolean {
  const letters = value.replace(/[^A-Za-z]/g, '');
  if (letters.length < 8 || value.length < 9 || !/^[\w!@#$%^&*+~?=]+$/.test(value) || entropyOf(letters) < 2.75)
    return false;
  const turns = letters.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  // A name of many short words goes up and down too: `endTagInTable`.
  const pieces = letters.match(/[A-Z]?[a-z]+|[A-Z]+/g)?.length ?? 0;
  if (turns >= letters.length * 0.35 && pieces > letters.length / 3.1) return true;
  const odd = [...letters.toLowerCase()].filter((letter, at, all) => at > 0 && !PAIRS.has(all[at - 1] + letter));
  return odd.length >= (letters.length - 1) * share;
}

export function isMixed(value: string): boolean {
  return /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
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

// `certain` has the shape or checksum of what it is; `possible` only might be it.
export type Certainty = 'certain' | 'possible';
// UTF-16 offsets of the secret value only, so that a redacted text still says what was there.
export type Finding = { kind: string; start: number; end: number; certainty: Certainty };

export const certain = (kind: string, start: number, end: number): Finding => ({
  ...{ kind, start, end },
  certainty: 'certain',
});

// Sorted by place; overlapping ranges become one that covers them all, keeps the kind of the first and is as certain as any.
export function mergeFindings(...lists: Finding[][]): Finding[] {
  const sorted = lists.flat().sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Finding[] = [];
  for (const finding of sorted) {
    const last = merged.at(-1);
    if (last && finding.start < last.end) {
      last.end = Math.max(last.end, finding.end);
      if (finding.certainty === 'certain') last.certainty = 'certain';
    } else merged.push({ ...finding });
  }
  return merged;
}

/** `keepsLines`: what was on several lines leaves as many. */
export function redact(text: string, findings: Finding[], keepsLines = false): string {
  let redacted = '';
  let done = 0;
  for (const { kind, start, end } of mergeFindings(findings)) {
    const ends = keepsLines ? (text.slice(start, end).match(/\r\n|\n|\r/g) ?? []) : [];
    redacted += `${text.slice(done, start)}[redacted:${kind}]${ends.join('')}`;
    done = end;
  }
  return redacted + text.slice(done);
}

/** What a sticky pattern finds at a place: set before every use, so that nothing is left behind. */
export function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

// Where the first group that took part is; each pattern with `d` has one.
export function firstGroup({ indices }: RegExpMatchArray | RegExpExecArray): [start: number, end: number] {
  return indices?.slice(1).find((place) => place !== undefined) as [number, number];
}
