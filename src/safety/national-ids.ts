import { isDay, passesLuhn, passesMod11And10, passesVerhoeff, weightedSum } from './check-digits.ts';
import type { Finding } from './finding.ts';

// Letters and digits next to a number make it part of something longer: a hash, an id, a version.
const START = '(?<![\\p{L}\\p{N}]|[0-9][.,:+-]|[0-9A-Fa-f]{4}-)';
const END = '(?![\\p{L}\\p{N}]|[-+][\\p{L}\\p{N}]|[.,:][0-9])';
// Digits in groups end where the groups end.
const START_OF_GROUPS = `${START}(?<![0-9] )`;
const END_OF_GROUPS = `${END}(?! [0-9])`;

type Rule = { pattern: string; inGroups?: true; check?: (bare: string) => boolean };
// `bare` is the match without its separators.
const RULES: Rule[] = [
  // United States: social security and taxpayer numbers.
  { pattern: '(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}' },
  { pattern: '9[0-9]{2}-(?:5[0-9]|6[0-5]|[78][0-9]|9[0-24-9])-[0-9]{4}' },
  // United Kingdom: national insurance number.
  { pattern: '(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]' },
  // Germany: tax number. Exactly one digit stands twice or three times among the first ten.
  { pattern: '[1-9][0-9] [0-9]{3} [0-9]{3} [0-9]{3}', inGroups: true, check: isGermanTaxId },
  { pattern: '[1-9][0-9]{10}', check: isGermanTaxId },
  // France: social security number with its key.
  {
    pattern: '[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}',
    check: (bare) => {
      const body = Number(bare.slice(0, 13).replace('2A', '19').replace('2B', '18'));
      return 97 - (body % 97) === Number(bare.slice(13));
    },
  },
  // Spain: identity cards of citizens and residents.
  {
    pattern: '(?:[0-9]{8}|[XYZ]-?[0-9]{7})-?[TRWAGMYFPDXBNJZSQVHLCKE]',
    check: (bare) => {
      const digits = bare.slice(0, -1).replace('X', '0').replace('Y', '1').replace('Z', '2');
      return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === bare.at(-1);
    },
  },
  // Italy: fiscal code; letters stand for digits where two persons would share one.
  {
    pattern:
      '[A-Za-z]{6}[0-9L-NP-Vl-np-v]{2}[A-EHLMPRSTa-ehlmprst][0-9L-NP-Vl-np-v]{2}[A-Za-z][0-9L-NP-Vl-np-v]{3}[A-Za-z]',
    check: isFiscalCode,
  },
  // Brazil.
  { pattern: '[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}-[0-9]{2}', check: isCpf },
  // India: Aadhaar, and the tax number of a person.
  { pattern: '[2-9][0-9]{3}([ -])[0-9]{4}\\1[0-9]{4}', inGroups: true, check: passesVerhoeff },
  { pattern: '[A-Z]{3}P[A-Z][0-9]{4}[A-Z]' },
  // Sweden; a recent date with four digits is more often a time stamp than a child.
  {
    pattern:
      '(?:19[0-9]{2}|20(?:0[0-9]|1[0-4])|[0-9]{2})(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01]|[6-8][0-9]|9[01])[-+][0-9]{4}',
    check: (bare) => passesLuhn(bare.slice(-10)),
  },
  // Finland.
  {
    pattern: '(?:[0-2][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]',
    check: (bare) =>
      '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(`${bare.slice(0, 6)}${bare.slice(-4, -1)}`) % 31] === bare.at(-1),
  },
  // Eleven digits with two check digits or a date: Norway, Turkey, Poland.
  { pattern: '[0-9]{6} ?[0-9]{5}', check: (bare) => isNorwegian(bare) || isTurkish(bare) || isPolish(bare) },
  // Belgium.
  {
    pattern: '[0-9]{2}\\.[0-9]{2}\\.[0-9]{2}-[0-9]{3}\\.[0-9]{2}',
    check: (bare) =>
      ['', '2'].some((century) => 97 - (Number(century + bare.slice(0, 9)) % 97) === Number(bare.slice(9))),
  },
  // China.
  {
    pattern: '[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])[0-9]{3}[0-9Xx]',
    check: (bare) =>
      '10X98765432'[weightedSum(bare, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] ===
      bare.at(-1)?.toUpperCase(),
  },
  // South Korea.
  {
    pattern: '[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])-[1-8][0-9]{6}',
    check: (bare) => (11 - (weightedSum(bare, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(bare.at(-1)),
  },
  // Switzerland.
  {
    pattern: '756\\.[0-9]{4}\\.[0-9]{4}\\.[0-9]{2}',
    check: (bare) => weightedSum(bare, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  },
  // Ireland: with one letter only beside its name, because many ids look like that.
  { pattern: '[0-9]{7}[A-W][A-IW]', check: isIrish },
  {
    pattern: '(?<=[Pp][Pp][Ss][Nn]?[^\\p{L}\\p{N}]{0,4}(?:(?:[Nn]umber|[Nn]o)[^\\p{L}\\p{N}]{0,4})?)[0-9]{7}[A-W]',
    check: isIrish,
  },
  // Mexico.
  { pattern: '[A-Z]{4}[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])[HM][A-Z]{5}[0-9A-Z][0-9]' },
];
const PATTERNS = RULES.map(({ pattern, inGroups, check }) => ({
  pattern: new RegExp(
    inGroups ? `${START_OF_GROUPS}(?:${pattern})${END_OF_GROUPS}` : `${START}(?:${pattern})${END}`,
    'gu',
  ),
  check,
}));

// Where the name of the id stands beside it, its bare form is enough.
const NAMED =
  /(?<!\p{L})(?:ssn|social[ _-]?security|itin|bsn|burgerservicenummer|sofinummer|nino|national[ _-]?(?:insurance|id|identity|identification)|aadhaar|aadhar|cpf|personnummer|personal[ _-]?(?:id|identity|identification)|cpr|steuer[ _-]?id|steueridentifikationsnummer|tax[ _-]?(?:id|file|payer)|tin|tfn|sin|social[ _-]?insurance|nhs|pesel|nir|dni|nie|nif|curp|rrn|my[ _-]?number|id[ _-]?card|passport|reisepass|driver'?s?[ _-]?licen[cs]e|driving[ _-]?licen[cs]e)(?:[ _-]?(?:number|num|no|nr|code|id))?(?!\p{L})\.?["'`)\]]{0,2}[ \t]{0,3}(?:[:=#-]|is|was)?[ \t"'`]{0,3}((?=[A-Z]{0,3}[ -]?[0-9])(?:[A-Z0-9]|(?<=[A-Z0-9])[ .-](?=[A-Z]{0,2}[0-9])){6,20})(?![\p{L}\p{N}_])/dgiu;
// Everyday words in some language; they need a sign between them and the number.
const ALSO_A_WORD = /^(?:sin|tin|nie|nir|dni|cpr|my number)[^:=#]*$/i;

export function findNationalIds(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { pattern, check } of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      if (check && !check(match[0].replace(/[ .+-]/g, ''))) continue;
      findings.push({ kind: 'national_id', start: match.index, end: match.index + match[0].length });
    }
  }
  for (const match of text.matchAll(NAMED)) {
    const [start, end] = match.indices?.[1] ?? [0, 0];
    const value = text.slice(start, end);
    const isNumber =
      value.replace(/[^0-9]/g, '').length >= 5 && !isDate(value) && !/^[0-9]+(?:\.[0-9]+){1,3}$/.test(value);
    if (isNumber && !ALSO_A_WORD.test(text.slice(match.index, start)))
      findings.push({ kind: 'national_id', start, end });
  }
  return findings;
}

function isDate(value: string): boolean {
  return /^(?:(?:19|20)[0-9]{2}[-. ][0-9]{2}[-. ][0-9]{2}|[0-9]{1,2}[-. ][0-9]{1,2}[-. ](?:19|20)[0-9]{2})(?![0-9])/.test(
    value,
  );
}

function isGermanTaxId(digits: string): boolean {
  const counts = [...'0123456789'].map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && passesMod11And10(digits);
}

// Values of the characters at odd places, from 0 to 9 and from A to Z.
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isFiscalCode(code: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const value = Number.parseInt(code.charAt(index), 36);
    const place = value > 9 ? value - 10 : value;
    sum += index % 2 === 0 ? (ODD[place] ?? 0) : place;
  }
  return String.fromCharCode(65 + (sum % 26)) === code.charAt(15).toUpperCase();
}

function isCpf(digits: string): boolean {
  if (/^(.)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return ((weightedSum(digits, weights) * 10) % 11) % 10 === Number(digits[length]);
  });
}

function isIrish(number: string): boolean {
  const second = number.charCodeAt(8) - 64;
  const more = number.length < 9 || number.endsWith('W') ? 0 : second;
  const sum = weightedSum(number, [8, 7, 6, 5, 4, 3, 2]) + 9 * more;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === number[7];
}

function isNorwegian(digits: string): boolean {
  return (
    isDay(digits.slice(2, 4), digits.slice(0, 2)) &&
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

function isTurkish(digits: string): boolean {
  const odd = weightedSum(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weightedSum(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const sum = weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  return digits[0] !== '0' && (odd * 7 - even + 100) % 10 === Number(digits[9]) && sum % 10 === Number(digits[10]);
}

function isPolish(digits: string): boolean {
  const month = String(Number(digits.slice(2, 4)) % 20).padStart(2, '0');
  return isDay(month, digits.slice(4, 6)) && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}
