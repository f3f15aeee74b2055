import { entropyOf, isCode, isLocation, isMixed, isPlaceholder, isSlug, isStatus } from './benign-value.ts';
import { type Finding, firstGroup } from './finding.ts';
import type { NamePlace, SecretName } from './secret-names.ts';
import { isTechnical, looksRandom, standsOut } from './secret-values.ts';

// Words by which a sentence ties a value to its name, before the value.
const COPULA = new Set(
  (
    'is was are be now to = : -> → => – — equals ist war lautet lauten heißt heisst ab jetzt nun est était sera désormais c’est es era ahora é ' +
    'era agora è adesso ora jest brzmi to to: wynosi это теперь является je byl zní är var er blev on oli olur şudur adalah là ' +
    'este acum είναι הוא היא هي هو है คือ using use via with mit avec con com met z с'
  ).split(' '),
);
const WITH = /^(?:to|using|use|via|with|mit|avec|con|com|met|now|on|be)$/i;
// "use X as the password": behind the value.
const AS = new Set(
  'as is als ist como comme come es est é è jako jest как это som är er olarak for für pour para per'.split(' '),
);
// Without any of these no word of a sentence can pass for a password.
const STANDS_OUT = /[0-9!@#$%^&*+~"'`“„«‘]|[a-z][A-Z]/;
// `admin:…` and `u: bob p: …` name no password; the account does.
const ACCOUNT =
  /(?<![\p{L}\p{N}_@/.])(?:admin|administrator|root|sa|postgres|deploy|guest|oracle|ubuntu|svc[\w-]{0,20}|(?:u|user|usr|login|id)[ ]?[:=][ ]?[\w.@-]{1,40}[\s,;/|]{1,3}p[ ]?)[:/=][ ]?([^\s"'`,;]{6,64})/dgiu;
const AFTER = 110;
const BEFORE = 60;
// Where words are not parted by blanks, the value begins where the script changes.
const UNPARTED =
  /(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|패스워드|รหัสผ่าน|令牌|密钥|トークン)(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{M}]{0,8})[\s:：=]{0,4}["'「『“（(]{0,2}([!-~]{4,128})/dgu;
const LOGIN =
  /(?<![\p{L}\p{N}_])(?:log-?ins?|log in|sign in|logon|credentials?|creds|zugangsdaten|anmeldedaten|logindaten|identifiants?|accès|acceso|credenciales|credenziali|accesso|inlog(?:gegevens)?|dane logowania|доступ|user(?:name)?[ ]?[/&+][ ]?(?:pass(?:word)?|pw)|benutzer[ ]?\/[ ]?passwort|account|konto)(?![\p{L}\p{N}_])[^\n\p{L}\p{N}]{0,4}(?:(?:is|are|with|mit|avec|con|as|als|for|für)[ ]{1,3}(?:[\p{L}]{1,20}[ ]{1,3}){0,2})?["'`]{0,2}[\w.@+-]{1,64}["'`]{0,2}(?:[ ]{0,2}[/:|,;][ ]{0,2}|[ ](?:and|und|et|y|e|i|en|with|mit|avec|con)[ ](?:(?:the|das|le|la)[ ])?)["'`]{0,2}([^\s"'`,;]{6,64})/dgiu;

// Passwords and tokens in sentences of any language: "Das Passwort für den Server lautet …", "use … as the password".
export function findInProse(text: string, names: NamePlace[]): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const { name, start, end } of names) {
    if (start < done) continue;
    const found =
      findAfter(text, end, name) ??
      (name.strength === 'weak' ? null : findBefore(text, Math.max(done, start - BEFORE), start, name));
    if (!found) continue;
    findings.push(found);
    done = found.end;
  }
  for (const match of text.matchAll(UNPARTED)) {
    const [start, end] = trimmed(text, firstGroup(match));
    if (isGiven(text.slice(start, end)) && looksRandom(text.slice(start, end)))
      findings.push({ kind: 'password', start, end });
  }
  for (const match of [...text.matchAll(LOGIN), ...text.matchAll(ACCOUNT)]) {
    const [start, end] = trimmed(text, firstGroup(match));
    if (isMade(text.slice(start, end))) findings.push({ kind: 'password', start, end });
  }
  return findings;
}

// Walks the words behind the name to the end of the sentence.
function findAfter(text: string, from: number, name: SecretName): Finding | null {
  let tied = false;
  const window = text.slice(from, from + AFTER).split('\n', 1)[0] ?? '';
  if (!STANDS_OUT.test(window)) return null;
  for (const { 0: raw, index } of window.matchAll(/\S+/g)) {
    // Cut by the window, a mark of redaction, or the next key of an object.
    if (index + raw.length === AFTER || /\[redacted:|["'_}\]][:=]$/.test(raw)) return null;
    const [start, end] = trimmed(text, [from + index, from + index + raw.length]);
    const word = text.slice(start, end);
    const isQuoted = start > from + index && end < from + index + raw.length && /["'`”“»’*]/.test(text.charAt(end));
    // What touches the name belongs to it.
    const standsAlone = name.strength !== 'everyday' && name.strength !== 'weak' && isMade(word, name);
    if (index > 0 && (standsAlone || isTiedValue(word, name, { tied, isQuoted })))
      return { kind: name.kind, start, end };
    const link = raw.toLowerCase().replace("'", '’');
    tied = (COPULA.has(link) && !(name.strength === 'everyday' && WITH.test(link))) || /[:=]$/.test(raw);
    if (/[.!?;](?:["')]*)$/.test(raw) || /[(){};]/.test(word)) return null;
  }
  return null;
}

function isTiedValue(
  word: string,
  name: SecretName,
  { tied, isQuoted }: { tied: boolean; isQuoted: boolean },
): boolean {
  if (!tied || !isGiven(word)) return false;
  if (name.strength === 'weak') return word.length >= 24 && isMixed(word) && entropyOf(word) >= 3.5;
  if (name.strength === 'digits') return /^[0-9]{4,8}$/.test(word);
  if (looksRandom(word) && standsOut(word, name)) return true;
  return isQuoted && name.strength === 'password' && /^\p{L}{6,40}$/u.test(word) && !isStatus(word);
}

function findBefore(text: string, from: number, end: number, name: SecretName): Finding | null {
  const window = text.slice(from, end);
  if (!STANDS_OUT.test(window)) return null;
  const words = [...window.slice(window.lastIndexOf('\n') + 1).matchAll(/\S+/g)];
  const base = from + window.lastIndexOf('\n') + 1;
  for (let at = words.length - 1; at >= Math.max(1, words.length - 4); at -= 1) {
    const link = words[at]?.[0].toLowerCase() ?? '';
    const value = words[at - 1];
    if (/[.!?:]$/.test(link)) return null;
    if (!AS.has(link) || !value) continue;
    const [start, stop] = trimmed(text, [base + value.index, base + value.index + value[0].length]);
    const word = text.slice(start, stop);
    const isValue =
      isMade(word, name) ||
      (/^(?:as|als|como|comme|come|jako|как|som|olarak)$/.test(link) &&
        isGiven(word) &&
        looksRandom(word) &&
        standsOut(word, name));
    return isValue && start >= from ? { kind: name.kind, start, end: stop } : null;
  }
  return null;
}

function isGiven(word: string): boolean {
  return (
    word.length >= 4 &&
    !isPlaceholder(word) &&
    !isLocation(word) &&
    !isCode(word) &&
    !isSlug(word) &&
    !/[[\]<>{}|]|^\$|^@|^#|^%|:\/\/|\.(?:com|org|net|io|de|md|ts|js|py|json|ya?ml)$/.test(word)
  );
}

// So much like a password that it needs no tie: digits inside the word, or a sign beside digits and letters.
function isMade(word: string, name?: SecretName): boolean {
  if (
    word.length < (name && name.strength !== 'password' ? 20 : 7) ||
    word.length > 64 ||
    !isGiven(word) ||
    isTechnical(word)
  )
    return false;
  if (
    !/[a-z]/.test(word) ||
    !/[0-9]/.test(word) ||
    /^[0-9a-f-]{7,}$/.test(word) ||
    /[/\\_.,:]/.test(word) ||
    /-.*-/.test(word)
  )
    return false;
  const hasSign = /[!@#$%^&*?+~]/.test(word);
  const hasDigitInside =
    /[A-Za-z][0-9]{1,4}[A-Za-z]/.test(word) &&
    /[A-Z]/.test(word) &&
    !/(?:[a-z]2[A-Z]|v[0-9][A-Z]|256|512|64[A-Z]|[0-9]D|[0-9]x|utf8|http2|k8s|s3|i18n|md5|x509|base64|oauth2)/i.test(
      word,
    );
  const endsInDigits = name === undefined && /^[A-Za-z]{4,}[0-9]{2,}$/.test(word) && /[A-Z]/.test(word);
  return hasSign || hasDigitInside || endsInDigits;
}

// Quotes, brackets and the sentence's own signs are not part of the value.
function trimmed(text: string, [from, to]: readonly [number, number]): [number, number] {
  let start = from;
  let end = to;
  while (start < end && /["'`“„«‘*_(「『]/.test(text.charAt(start))) start += 1;
  while (end > start && /["'`”“»’*_),.;:」』。、，]/.test(text.charAt(end - 1))) end -= 1;
  return [start, end];
}
