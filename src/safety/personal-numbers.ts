import type { Finding } from './secret-literals.ts';

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
    if (value) findings.push({ kind: 'iban', start: head.index, end: head.index + value.length, certainty: 'certain' });
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
