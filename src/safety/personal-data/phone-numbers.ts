import { type Finding, firstGroup } from '../finding.ts';

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
