import type { Finding } from '../finding.ts';
import { passesMod11And10, weightedSum } from './check-digits.ts';

// Letters and digits next to a number make it part of something longer: a hash, an id, a version.
const START = '(?<![\\p{L}\\p{N}]|[0-9][.,:+-]|[0-9A-Fa-f]{4}-)';
const END = '(?![\\p{L}\\p{N}]|[-+][\\p{L}\\p{N}]|[.,:][0-9])';

// By their form and check digits, in a few large countries; all others only next to what people call their papers.
// The check gets the match without its separators.
const RULES: [pattern: string, check?: (bare: string) => boolean][] = [
  // United States: social security and taxpayer numbers.
  ['(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}'],
  ['9[0-9]{2}-(?:5[0-9]|6[0-5]|[78][0-9]|9[0-24-9])-[0-9]{4}'],
  // United Kingdom: national insurance number.
  ['(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]'],
  // Germany: tax number.
  ['(?<![0-9] )[1-9][0-9] [0-9]{3} [0-9]{3} [0-9]{3}(?! [0-9])|[1-9][0-9]{10}', isGermanTaxId],
  // France: social security number with its key.
  [
    '[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}',
    (bare) => 97 - (Number(bare.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97) === Number(bare.slice(13)),
  ],
  // Spain: identity cards of citizens and residents.
  [
    '(?:[0-9]{8}|[XYZ]-?[0-9]{7})-?[TRWAGMYFPDXBNJZSQVHLCKE]',
    (bare) => {
      const digits = bare.slice(0, -1).replace('X', '0').replace('Y', '1').replace('Z', '2');
      return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === bare.at(-1);
    },
  ],
  // Brazil.
  ['[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}-[0-9]{2}', isCpf],
];

// What people call their papers; on its own a number with a check digit is only possibly one.
const PAPERS =
  /(?<!\p{L})(?:ssn|sin|tfn|nhs(?:[ _-]?number)?|social[ _-]?security(?:[ _-]?number)?|itin|tax(?:payer)?[ _-]?(?:id|file|identification)?[ _-]?number|tax[ _-]?id|nino?|national[ _-]?(?:id|insurance)|id[ _-]?(?:nr|no|number|card)|idnr|steuer-?(?:id|identifikationsnummer|nummer)|sozialversicherungs\p{L}*|sv-?n[ru]\p{L}*|rentenversicherungs\p{L}*|s[eé]cu(?:rit[eé])?[ _-]?sociale|dni|codice[ _-]?fiscale|cpf|aadhaar|personnummer|hetu|f[oø]dselsnummer|tc[ _-]?kimlik(?:[ _-]?no)?|pesel|isikukood|rijksregisternummer|bsn|身份证(?:号码?)?|주민등록번호|ahv(?:[ _-]?nummer)?|pps(?:n|[ _-]?number)|curp|rodn[eé][ _-][cč][ií]slo|jmbg|снилс|nric|hkid|cuit|passport|medicare|driving[ _-]licen[cs]e)["'`)\]]{0,2}[^\p{L}\p{N}\n]{0,4}(?:\p{L}{1,8}[ ]){0,2}$/iu;
const NUMBER = '[A-Z]{0,6}[0-9](?:[ ./()+-]?[A-Z0-9]){5,19}[x)]?';

// Made when a text comes: with the letters of all scripts they take longer to build than most commands need.
let patterns: { expression: RegExp; check: (bare: string) => boolean }[] | undefined;

export function findNationalIds(text: string): Finding[] {
  patterns ??= RULES.map(([pattern, check = () => true]) => ({
    expression: new RegExp(`${START}(?:${pattern})${END}`, 'gu'),
    check,
  }));
  const isNamed = (index: number) => PAPERS.test(text.slice(Math.max(0, index - 60), index));
  const found = ({ 0: { length }, index }: RegExpExecArray, certainty: Finding['certainty']): Finding => ({
    kind: 'national_id',
    start: index,
    end: index + length,
    certainty,
  });
  const byForm = patterns.flatMap(({ expression, check }) =>
    [...text.matchAll(expression)]
      .filter((match) => check(match[0].replace(/[ .-]/g, '')))
      .map((match) => found(match, isNamed(match.index) ? 'certain' : 'possible')),
  );
  const byName = [...text.matchAll(new RegExp(`${START}${NUMBER}${END}`, 'gu'))]
    .filter((match) => (match[0].match(/[0-9]/g)?.length ?? 0) >= 6 && isNamed(match.index))
    .map((match) => found(match, 'certain'));
  return [...byForm, ...byName];
}

// Exactly one digit appears twice or three times among the first ten.
function isGermanTaxId(digits: string): boolean {
  const counts = [...'0123456789'].map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && passesMod11And10(digits);
}

function isCpf(digits: string): boolean {
  if (/^(.)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return ((weightedSum(digits, weights) * 10) % 11) % 10 === Number(digits[length]);
  });
}
