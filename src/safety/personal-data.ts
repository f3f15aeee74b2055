import { findAccountNumbers, findNationalIds } from './personal-numbers.ts';
import { type Finding, firstGroup, mergeFindings } from './secret-literals.ts';

// What points to one person: mail, phone, national ids, cards and bank accounts.
export function findPersonalData(text: string): Finding[] {
  if (!/[0-9]/.test(text)) return findMailAddresses(text);
  return mergeFindings(findMailAddresses(text), findPhoneNumbers(text), findNumbers(text));
}

// Numbers of persons with a checksum, beside a word that names them. Files of a project name people on purpose, and every
// tenth number in code passes some check digit: only what is certain counts there.
export function findCertainNumbers(text: string): Finding[] {
  return /[0-9]/.test(text) ? findNumbers(text).filter(({ certainty }) => certainty === 'certain') : [];
}

function findNumbers(text: string): Finding[] {
  return mergeFindings(findAccountNumbers(text), findNationalIds(text));
}

const AT = /@|%40/g;
const LOCAL = /[\p{L}\p{N}._%+'-]/u;
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,40}|\p{L}{2,24})(?![\p{L}\p{N}])/iuy;

// Names that no mail reaches (RFC 2606, RFC 6761), and the machines' own accounts.
const BENIGN_DOMAIN =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|test|invalid|example|localhost|users\.noreply\.github\.com)$/i;
const BENIGN_LOCAL = /^(?:git|hg|svn|no-?reply|do-?not-?reply|nobody)$/i;
const STAND_IN =
  /^(?:you|user|username|name|your[._-]?name|first(?:name)?[._-]last(?:name)?|someone|foo|me)@(?:your)?[._-]?(?:domain|company|email|mail|host|server|org)\.(?:com|org|net)$/i;
// `icon@2x.png`, `getty@tty1.service`, `left-pad@1.3.0-rc.one`.
const NOT_A_DOMAIN =
  /^v?[0-9]+\.[0-9]|^[0-9]x\.|\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|zip|tgz|gz|js|mjs|cjs|ts|tsx|jsx|css|json|ya?ml|toml|md|html?|txt|git|service|socket|timer|target|mount|scope|slice)$/i;
const USER_OF_ADDRESS = /(?<!mailto|xmpp|sip|sips|im):\/\/(?:[^\s/:@]{0,128}:)?$/i;

export function findMailAddresses(text: string): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const at of text.matchAll(AT)) {
    const start = startOfLocal(text, Math.max(done, at.index - 66), at.index);
    const from = at.index + at[0].length;
    const domain = start === at.index ? undefined : domainAt(text, from);
    if (domain === undefined || isBenign(text, { start, local: text.slice(start, at.index), domain })) continue;
    done = from + domain.length;
    findings.push({ kind: 'mail_address', start, end: done, certainty: 'certain' });
  }
  return findings;
}

// Walks back over the part before the @, which may also be in quotes.
function startOfLocal(text: string, earliest: number, at: number): number {
  if (text[at - 1] === '"') {
    const quoted = /"[\p{L}\p{N}][\p{L}\p{N} .+-]*"$/u.exec(text.slice(earliest, at));
    return at - (quoted?.[0].length ?? 0);
  }
  let start = at;
  while (start > earliest && LOCAL.test(text.charAt(start - 1))) start -= 1;
  // In a URL the address starts after the last escape; that of a plus is part of it.
  const escapes = [...text.slice(start, at).matchAll(/%(?!2B)[0-9A-F]{2}/gi)];
  start += (escapes.at(-1)?.index ?? -3) + 3;
  while (start < at && /['.-]/.test(text.charAt(start))) start += 1;
  return start;
}

function domainAt(text: string, from: number): string | undefined {
  const sticky = new RegExp(DOMAIN);
  sticky.lastIndex = from;
  return sticky.exec(text)?.[0];
}

function isBenign(text: string, mail: { start: number; local: string; domain: string }): boolean {
  if (BENIGN_DOMAIN.test(mail.domain) || BENIGN_LOCAL.test(mail.local) || NOT_A_DOMAIN.test(mail.domain)) return true;
  return (
    STAND_IN.test(`${mail.local}@${mail.domain}`) ||
    USER_OF_ADDRESS.test(text.slice(Math.max(0, mail.start - 160), mail.start))
  );
}

const KIND = 'phone_number';
const BEFORE = '(?<![\\p{L}\\p{N}+]|[0-9][.,:/-]|[0-9A-Fa-f]{4}-)';
const AFTER = '(?![\\p{L}\\p{N}]|[-:/][0-9A-Fa-f]|[.,][0-9])';
const pattern = (body: string) => new RegExp(`${BEFORE}(?:${body})${AFTER}`, 'gu');

// `+49 30 1234567`, `+1 (415) 867-5309`, `tel:+491701234567`.
const INTERNATIONAL =
  /(?<![\p{L}\p{N}+])(?:\+|00(?=[1-9]))[ ]?\(?[1-9](?:[ .()/-]{0,3}[0-9]){6,14}(?![\p{L}\p{N}]|[.,:][0-9])/gu;
const COUNTRY =
  /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|21[1-368]|2[2346][0-9]|25[0-8]|29[0179]|35[0-9]|37[0-8]|38[0-35-79]|42[013]|50[0-9]|59[0-9]|67[02-9]|68[0-35-9]|69[0-2]|800|85[02356]|88[016]|96[0-8]|97[0-79]|99[2-68])/;

// `(415) 867-5309`, and Germany's and Britain's form with a trunk zero and a slash or brackets.
const NATIONAL = pattern(
  '(?:1[ .-])?\\([2-9][0-9]{2}\\)[ -]?[2-9][0-9]{2}[ .-][0-9]{4}|\\(0[1-9][0-9]{0,4}\\) ?[0-9]{2,8}(?:[ -][0-9]{2,5}){0,3}',
);

// A word that says what the digits are.
const NAMED =
  /(?:(?<!micro|head|mega|saxo)phones?|(?<!\p{L})(?:tel|cell|fax|whatsapp|sms|handy|mobile?|mobil)|telefon[eo]?|teléfono|téléphone|mobilnummer|rufnummer|handynummer|telephone|电话|電話|手机|携帯|телефон|тел)(?:[ _-]?(?:number|num|nummer|no|nr|home|work|office|private|mobile|main|primary|value))?[.)"'`\]]{0,2}[ \t]{0,3}(?:[:=#：]|is|was|at|on)?[ \t"'`]{0,3}((?:\+|\()?[0-9](?:[ .()/-]{0,3}[0-9]){6,14})(?![\p{L}\p{N}]|[:,][0-9])/dgiu;

export function findPhoneNumbers(text: string): Finding[] {
  const findings: Finding[] = [];
  const add = (start: number, value: string) =>
    findings.push({ kind: KIND, start, end: start + value.length, certainty: 'certain' });
  for (const { 0: value, index } of text.matchAll(INTERNATIONAL))
    if (isInternational(value) && !isReserved(value)) add(index, value);
  for (const { 0: value, index } of text.matchAll(NATIONAL)) {
    const digits = value.replace(/[^0-9]/g, '').length;
    if (digits >= 9 && digits <= 12 && !isReserved(value)) add(index, value);
  }
  for (const match of text.matchAll(NAMED)) {
    const value = match[1] as string;
    if (!isDate(value) && !isDottedQuad(value) && !isReserved(value)) add(firstGroup(match)[0], value);
  }
  return findings;
}

function isInternational(value: string): boolean {
  const digits = value.replace(/[^0-9]/g, '');
  const number = value.startsWith('+') ? digits : digits.slice(2);
  if (number.length > 15 || !COUNTRY.test(number)) return false;
  const isOnePiece = /^\+?[0-9]+$/.test(value);
  // Padded ids start with zeros too.
  if (value.startsWith('0')) return isOnePiece ? /^[34][0-9]{9,12}$/.test(number) : number.length >= 9;
  // `+12 345 678` is a sum.
  if (/^\+[0-9]{1,3}(?:[ .][0-9]{3})+$/.test(value)) return number.length >= 10;
  return number.length >= (isOnePiece ? 9 : 8);
}

// Numbers that telephone authorities keep free for films and handbooks: 555-01xx, and Ofcom's drama numbers.
function isReserved(value: string): boolean {
  const digits = value.replace(/[^0-9]/g, '');
  return (
    /^(?:1?[2-9][0-9]{2})?55501[0-9]{2}$/.test(digits) ||
    /^(?:0|(?:00)?440?)(?:7700900|2079460|1[0-9]{2}4960)[0-9]{3}$/.test(digits)
  );
}

function isDate(value: string): boolean {
  return /^(?:[0-9]{1,2}[-. /][0-9]{1,2}[-. /](?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}[-./][0-9]{1,2}[-./][0-9]{1,2})(?![0-9])/.test(
    value,
  );
}

function isDottedQuad(value: string): boolean {
  return /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(value);
}
