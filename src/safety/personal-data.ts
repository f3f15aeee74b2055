import { certain, type Finding, firstGroup, matchAt, mergeFindings } from './secret-literals.ts';

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
    const domain = start === at.index ? null : matchAt(DOMAIN, text, from);
    if (domain === null || isBenign(text.slice(start, at.index), domain)) continue;
    if (USER_OF_ADDRESS.test(text.slice(Math.max(0, start - 160), start))) continue;
    done = from + domain.length;
    findings.push(certain('mail_address', start, done));
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

function isBenign(local: string, domain: string): boolean {
  const isNobodys = BENIGN_DOMAIN.test(domain) || BENIGN_LOCAL.test(local) || NOT_A_DOMAIN.test(domain);
  return isNobodys || STAND_IN.test(`${local}@${domain}`);
}

// `+49 30 1234567`, `+1 (415) 867-5309`, `tel:+491701234567`.
const INTERNATIONAL =
  /(?<![\p{L}\p{N}+])(?:\+|00(?=[1-9]))[ ]?\(?[1-9](?:[ .()/-]{0,3}[0-9]){6,14}(?![\p{L}\p{N}]|[.,:][0-9])/gu;
const COUNTRY =
  /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|21[1-368]|2[2346][0-9]|25[0-8]|29[0179]|35[0-9]|37[0-8]|38[0-35-79]|42[013]|50[0-9]|59[0-9]|67[02-9]|68[0-35-9]|69[0-2]|800|85[02356]|88[016]|96[0-8]|97[0-79]|99[2-68])/;

// `(415) 867-5309`, and Germany's and Britain's form with a trunk zero and a slash or brackets.
const NATIONAL =
  /(?<![\p{L}\p{N}+]|[0-9][.,:/-]|[0-9A-Fa-f]{4}-)(?:(?:1[ .-])?\([2-9][0-9]{2}\)[ -]?[2-9][0-9]{2}[ .-][0-9]{4}|\(0[1-9][0-9]{0,4}\) ?[0-9]{2,8}(?:[ -][0-9]{2,5}){0,3})(?![\p{L}\p{N}]|[-:/][0-9A-Fa-f]|[.,][0-9])/gu;

// A word that says what the digits are.
const NAMED =
  /(?:(?<!micro|head|mega|saxo)phones?|(?<!\p{L})(?:tel|cell|fax|whatsapp|sms|handy|mobile?|mobil)|telefon[eo]?|teléfono|téléphone|mobilnummer|rufnummer|handynummer|telephone|电话|電話|手机|携帯|телефон|тел)(?:[ _-]?(?:number|num|nummer|no|nr|home|work|office|private|mobile|main|primary|value))?[.)"'`\]]{0,2}[ \t]{0,3}(?:[:=#：]|is|was|at|on)?[ \t"'`]{0,3}((?:\+|\()?[0-9](?:[ .()/-]{0,3}[0-9]){6,14})(?![\p{L}\p{N}]|[:,][0-9])/dgiu;

export function findPhoneNumbers(text: string): Finding[] {
  const findings: Finding[] = [];
  const add = (start: number, value: string) => findings.push(certain('phone_number', start, start + value.length));
  for (const { 0: value, index } of text.matchAll(INTERNATIONAL))
    if (isInternational(value) && !isReserved(value)) add(index, value);
  for (const { 0: value, index } of text.matchAll(NATIONAL)) {
    const digits = value.replace(/[^0-9]/g, '').length;
    if (digits >= 9 && digits <= 12 && !isReserved(value)) add(index, value);
  }
  for (const match of text.matchAll(NAMED)) {
    const value = match[1] as string;
    if (!isDate(value) && !DOTTED_QUAD.test(value) && !isReserved(value)) add(firstGroup(match)[0], value);
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

const DOTTED_QUAD = /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/;

function isDate(value: string): boolean {
  return /^(?:[0-9]{1,2}[-. /][0-9]{1,2}[-. /](?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}[-./][0-9]{1,2}[-./][0-9]{1,2})(?![0-9])/.test(
    value,
  );
}

// Groups of digits; beside a dot or comma they are a fraction, after four characters of hex and a dash a UUID.
const DIGIT_RUN =
  /(?<![\p{L}\p{N}_]|[0-9][.,]|[.$#]|[0-9A-Fa-f]{4}-)[0-9]+(?:[ -][0-9]+)*(?![\p{L}\p{N}_]|[.,][0-9]|-[0-9A-Fa-f]{4})/gu;
// First digits and lengths that card networks give out.
const NETWORKS =
  /^(?:4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|5[0-8][0-9]{14}|2(?:2[2-9]|[3-6][0-9]|7[0-2])[0-9]{13}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|35[0-9]{14}|6(?:011|2[0-9]{2}|4[4-9][0-9]|5[0-9]{2}|0[0-9]{2}|3[0-9]{2}|7[0-9]{2})[0-9]{12,15})$/;
const GROUPS =
  /^(?:[0-9]{13,19}|[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}|[0-9]{4}([ -])[0-9]{6}\2[0-9]{4,5}|[0-9]{4}([ -])(?:[0-9]{4}\3){3}[0-9]{1,3})$/;

const IBAN_LENGTHS: Record<string, number> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28 },
  ...{ CZ: 24, DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18 },
  ...{ GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32 },
  ...{ LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18, NO: 15 },
  ...{ PK: 24, PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27 },
  ...{ ST: 25, SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20 },
};
const IBAN_HEAD = /(?<![\p{L}\p{N}_+/])[A-Z]{2}[0-9]{2}(?=[ -]?[A-Z0-9])/gu;
// A word that says what the digits are.
const CARD_WORD =
  /(?:card|kart[eay]|carte|tarjeta|cart[aã]o|visa|mastercard|amex|credit|\bcc|\bpan\b|kredit)[^\n]{0,60}$/i;

// Card numbers by their checksum, certain in the groups that are printed on cards or beside a word for them; IBANs by theirs.
export function findAccountNumbers(text: string): Finding[] {
  // A number may go on in the next line.
  const flowing = text.replace(/(?<=[0-9A-Z])\n(?=[0-9])/g, ' ');
  return [...findCards(flowing), ...findIbans(flowing)];
}

// A card may be among other numbers, so every row of groups inside a run is tried.
function findCards(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const run of text.matchAll(DIGIT_RUN)) {
    if (run[0].length < 13) continue;
    const groups = [...run[0].matchAll(/[0-9]+/g)].map(({ 0: digits, index }) => ({
      start: run.index + index,
      end: run.index + index + digits.length,
    }));
    for (const [first, { start }] of groups.entries()) {
      const last = groups
        .slice(first, first + 5)
        .findLast(({ end }) => isCard(text.slice(start, Math.min(end, start + 24))));
      if (!last) continue;
      const isNamed = CARD_WORD.test(text.slice(Math.max(0, start - 70), start));
      const isPrinted = last.end - start === run[0].length && /[ -]/.test(run[0]);
      findings.push({
        kind: 'card_number',
        start,
        end: last.end,
        certainty: isNamed || isPrinted ? 'certain' : 'possible',
      });
    }
  }
  return findings;
}

// What every payment service prints in its handbook.
const HANDBOOK = /^(?:41{15}|(?:42){8}|5{12}4444|5105105105105100|378282246310005|601{13}7)$/;

function isCard(value: string): boolean {
  const digits = value.replace(/[ -]/g, '');
  return (
    value.length >= 13 &&
    GROUPS.test(value) &&
    NETWORKS.test(digits) &&
    passesLuhn(digits) &&
    !HANDBOOK.test(digits) &&
    !/^(.)\1*$/.test(digits)
  );
}

function findIbans(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const head of text.matchAll(IBAN_HEAD)) {
    const length = IBAN_LENGTHS[head[0].slice(0, 2)];
    const value = length === undefined ? null : ibanAt(text.slice(head.index, head.index + 48), length);
    if (value) findings.push(certain('iban', head.index, head.index + value.length));
  }
  return findings;
}

// In one piece or in groups of four, as banks write it.
function ibanAt(text: string, length: number): string | null {
  const value = /^(?:[A-Z0-9]{15,34}|[A-Z0-9]{4}([ -])(?:[A-Z0-9]{4}\1){2,7}[A-Z0-9]{1,4})(?![A-Za-z0-9+/_=])/.exec(
    text,
  )?.[0];
  const bare = value?.replace(/[ -]/g, '') ?? '';
  return value && bare.length === length && passesIban(bare) ? value : null;
}

// The checksums by which real numbers are told from digits that only look alike. Every argument is digits and letters only.

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

// ISO 7064 mod 97, as IBANs use it: the first four characters count last, letters count from 10.
export function passesIban(iban: string): boolean {
  let rest = 0;
  for (const character of (iban.slice(4) + iban.slice(0, 4)).toUpperCase()) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

// Letters and digits next to a number make it part of something longer: a hash, an id, a version.
const START = '(?<![\\p{L}\\p{N}]|[0-9][.,:+-]|[0-9A-Fa-f]{4}-)';
const END = '(?![\\p{L}\\p{N}]|[-+][\\p{L}\\p{N}]|[.,:][0-9])';

// Those that show by their form alone: social security and taxpayer numbers of the United States, insurance numbers of the
// United Kingdom. All others only next to what people call their papers.
const BY_FORM = [
  '(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}',
  '9[0-9]{2}-(?:5[0-9]|6[0-5]|[78][0-9]|9[0-24-9])-[0-9]{4}',
  '(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]',
].join('|');

// What people call their papers; on its own a number is only possibly one.
const PAPERS =
  /(?<!\p{L})(?:ssn|sin|tfn|nhs(?:[ _-]?number)?|social[ _-]?security(?:[ _-]?number)?|itin|tax(?:payer)?[ _-]?(?:id|file|identification)?[ _-]?number|tax[ _-]?id|nino?|national[ _-]?(?:id|insurance)|id[ _-]?(?:nr|no|number|card)|idnr|steuer(?:[ _-]?(?:id|identifikationsnummer|nummer))?|sozialversicherungs\p{L}*|sv-?n[ru]\p{L}*|rentenversicherungs\p{L}*|s[eé]cu(?:rit[eé])?(?:[ _-]?sociale)?|dni|codice[ _-]?fiscale|cpf|aadhaar|personnummer|hetu|f[oø]dselsnummer|tc[ _-]?kimlik(?:[ _-]?no)?|pesel|isikukood|rijksregisternummer|bsn|身份证(?:号码?)?|주민등록번호|ahv(?:[ _-]?nummer)?|pps(?:n|[ _-]?number)|curp|rodn[eé][ _-][cč][ií]slo|jmbg|снилс|nric|hkid|cuit|passport|medicare|driving[ _-]licen[cs]e)(?!\p{L})["'`)\]]{0,2}[^\p{L}\p{N}\n]{0,4}(?:\p{L}{1,8}[ ]){0,2}$/iu;
const NUMBER = '[A-Z]{0,6}-?[0-9](?:[ ./()+-]?[A-Z0-9]){5,19}[x)]?';

export function findNationalIds(text: string): Finding[] {
  const matches = (pattern: string) =>
    [...text.matchAll(new RegExp(`${START}(?:${pattern})${END}`, 'gu'))].map(({ 0: number, index }) => {
      const isNamed = PAPERS.test(text.slice(Math.max(0, index - 60), index));
      const certainty: Finding['certainty'] = isNamed ? 'certain' : 'possible';
      return { kind: 'national_id', start: index, end: index + number.length, certainty };
    });
  // `sin(0.841471)` and a date are nobody's.
  const isNumber = (value: string) =>
    (value.match(/[0-9]/g)?.length ?? 0) >= 6 &&
    !/^(?:[0-9]+\.[0-9]+\)?|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2})$/.test(value);
  const byName = matches(NUMBER).filter(
    ({ start, end, certainty }) => certainty === 'certain' && isNumber(text.slice(start, end)),
  );
  return [...matches(BY_FORM), ...byName];
}
