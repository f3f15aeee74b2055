import type { Finding } from '../finding.ts';
import { passesLuhn, passesVerhoeff, weightedSum } from './check-digits.ts';
import {
  isArgentine,
  isAustrian,
  isBaltic,
  isBritishLicence,
  isChilean,
  isCpf,
  isCzech,
  isFiscalCode,
  isGermanPension,
  isGermanTaxId,
  isHongKong,
  isIcelandic,
  isIrish,
  isNorwegian,
  isPolish,
  isSingaporean,
  isSnils,
  isSouthAfrican,
  isTaiwanese,
  isThai,
  isTurkish,
  isYugoslav,
} from './national-id-checks.ts';

// Letters and digits next to a number make it part of something longer: a hash, an id, a version.
const START = '(?<![\\p{L}\\p{N}]|[0-9][.,:+-]|[0-9A-Fa-f]{4}-)';
const END = '(?![\\p{L}\\p{N}]|[-+][\\p{L}\\p{N}]|[.,:][0-9])';
// Digits in groups end where the groups end.
const START_OF_GROUPS = `${START}(?<![0-9] )`;
const END_OF_GROUPS = `${END}(?! [0-9])`;

// `named`: too plain to be taken for an id without its name before it.
type Rule = { pattern: string; inGroups?: true; named?: true; check?: (bare: string) => boolean };
// `bare` is the match without its separators.
const RULES: Rule[] = [
  // United States: social security and taxpayer numbers.
  { pattern: '(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}' },
  { pattern: '9[0-9]{2}-(?:5[0-9]|6[0-5]|[78][0-9]|9[0-24-9])-[0-9]{4}' },
  // United Kingdom: national insurance number.
  { pattern: '(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]' },
  // Germany: tax number. Exactly one digit appears twice or three times among the first ten.
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
  // Eleven digits with two check digits or a date: Norway, Turkey, Poland, Estonia, Lithuania.
  {
    pattern: '[0-9]{6} ?[0-9]{5}',
    check: (bare) => [isNorwegian, isTurkish, isPolish, isBaltic].some((is) => is(bare)),
  },
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
  // Germany: pension number; Austria: social security number; Latvia.
  {
    pattern: '[0-9]{2} ?(?:[0-3][0-9]|[5-8][0-9])(?:0[1-9]|1[0-2])[0-9]{2} ?[A-Z] ?[0-9]{3}',
    check: isGermanPension,
  },
  { pattern: '[1-9][0-9]{3} (?:[0-2][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}', inGroups: true, check: isAustrian },
  { pattern: '(?:[0-2][0-9]|3[0-2])(?:0[1-9]|1[0-2])[0-9]{2}-[012][0-9]{4}' },
  // Iceland, Czechia and Slovakia, the countries of Yugoslavia.
  { pattern: '(?:[0-2][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}-[0-9]{4}', check: isIcelandic },
  { pattern: '[0-9]{2}(?:[0257][1-9]|[1368][0-2])(?:[0-2][0-9]|3[01])/[0-9]{4}', check: isCzech },
  { pattern: '(?:[0-2][0-9]|3[01])(?:0[1-9]|1[0-2])(?:9[0-9]{2}|0[0-2][0-9])[0-9]{6}', check: isYugoslav },
  // Russia: pension account.
  { pattern: '[0-9]{3}-[0-9]{3}-[0-9]{3} [0-9]{2}', check: isSnils },
  // United Kingdom: driving licence. United States: Medicare number.
  {
    pattern: '[A-Z][A-Z9]{4}[0-9][0156][0-9](?:0[1-9]|[12][0-9]|3[01])[0-9][A-Z9]{2}[0-9A-Z][A-Z]{2}',
    check: isBritishLicence,
  },
  {
    pattern:
      '[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-[AC-HJKMNP-RT-Y]{2}[0-9]{2}',
  },
  // Singapore, Hong Kong, Taiwan, Thailand, Malaysia, Pakistan, the Emirates.
  { pattern: '[STFGM][0-9]{7}[A-Z]', check: isSingaporean },
  { pattern: '[A-Z]{1,2}[0-9]{6}\\([0-9A]\\)', check: (bare) => isHongKong(bare.replace(/[()]/g, '')) },
  { pattern: '[A-Z][1289][0-9]{8}', check: isTaiwanese },
  { pattern: '[1-8]-[0-9]{4}-[0-9]{5}-[0-9]{2}-[0-9]', check: isThai },
  { pattern: '[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])-(?:0[1-9]|[1-5][0-9]|[678][0-9]|9[089])-[0-9]{4}' },
  { pattern: '[1-7][0-9]{4}-[0-9]{7}-[0-9]' },
  { pattern: '784-(?:19|20)[0-9]{2}-[0-9]{7}-[0-9]' },
  // South Africa: the last digits but one are fixed.
  { pattern: '[0-9]{10}[01]8[0-9]', check: isSouthAfrican },
  // Argentina, Chile, and the tax number of a person in Mexico.
  { pattern: '(?:20|2[347]|30|3[34])-[0-9]{8}-[0-9]', check: isArgentine },
  { pattern: '[1-9][0-9]?\\.[0-9]{3}\\.[0-9]{3}-[0-9Kk]', check: isChilean },
  { pattern: '[A-ZÑ&]{4}[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[A-Z0-9]{2}[0-9A]' },
  // Bare digits beside their name: United States, Brazil, Netherlands, Canada, British health service, Australia.
  { pattern: '(?!000|666|9)[0-9]{9}', named: true },
  { pattern: '[0-9]{11}', named: true, check: isCpf },
  {
    pattern: '[0-9]{9}|[0-9]{3} [0-9]{3} [0-9]{3}',
    named: true,
    check: (bare) =>
      passesLuhn(bare) ||
      weightedSum(bare, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 ||
      weightedSum(bare, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  },
  {
    pattern: '[0-9]{3} ?[0-9]{3} ?[0-9]{4}',
    named: true,
    check: (bare) => (11 - (weightedSum(bare, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(bare.at(-1)),
  },
  // The two lines of a passport that machines read.
  { pattern: 'P[A-Z<][A-Z]{3}[A-Z]{1,38}<<[A-Z<]{1,38}<' },
  { pattern: '[A-Z0-9<]{9}[0-9][A-Z<]{3}[0-9]{7}[MFX<][0-9]{7}[A-Z0-9<]{2,16}' },
];
interface Pattern extends Pick<Rule, 'named' | 'check'> {
  expression: RegExp;
}

// Made when a text comes: with the letters of all scripts they take longer to build than most commands need. ASCII has
// letters and digits of its own alone.
const built: { plain?: Pattern[]; unicode?: Pattern[] } = {};

function patternsFor(text: string): Pattern[] {
  if (/[^\0-\x7f]/.test(text)) {
    built.unicode ??= build((source) => new RegExp(source, 'gu'));
    return built.unicode;
  }
  built.plain ??= build((source) => new RegExp(source.replaceAll('\\p{L}', 'A-Za-z').replaceAll('\\p{N}', '0-9'), 'g'));
  return built.plain;
}

function build(make: (source: string) => RegExp): Pattern[] {
  return RULES.map(({ pattern, inGroups, named, check }) => ({
    named,
    expression: make(inGroups ? `${START_OF_GROUPS}(?:${pattern})${END_OF_GROUPS}` : `${START}(?:${pattern})${END}`),
    check,
  }));
}

// What people call their papers; on its own a number with a check digit is only possibly one.
const PAPERS =
  /(?<!\p{L})(?:ssn|sin|tfn|nhs(?:[ _-]?number)?|social[ _-]?security(?:[ _-]?number)?|itin|tax(?:payer)?[ _-]?(?:id|file|identification)?[ _-]?number|tax[ _-]?id|nino?|national[ _-]?(?:id|insurance)|id[ _-]?(?:nr|no|number|card)|idnr|steuer-?(?:id|identifikationsnummer|nummer)|sozialversicherungs\p{L}*|sv-?n[ru]\p{L}*|rentenversicherungs\p{L}*|nir|s[eé]cu(?:rit[eé])?[ _-]?sociale|dni|nie|codice[ _-]?fiscale|cf|cpf|aadhaar|uid|pan|personnummer|hetu|f[oø]dselsnummer|tc[ _-]?kimlik(?:[ _-]?no)?|pesel|isikukood|rijksregisternummer|bsn|身份证(?:号码?)?|주민등록번호|rrn|ahv(?:[ _-]?nummer)?|pps[ n]?(?:[ ]?number)?|curp|rfc|rodn[eé][ _-][cč][ií]slo|jmbg|oib|снилс|nric|hkid|cuit|rut|passport|medicare|licen[cs]e)["'`)\]]{0,2}[^\p{L}\p{N}\n]{0,4}(?:\p{L}{1,8}[ ]){0,2}$/iu;

export function findNationalIds(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { expression, named, check } of patternsFor(text)) {
    for (const match of text.matchAll(expression)) {
      if (check && !check(match[0].replace(/[ .+/-]/g, ''))) continue;
      const isNamed = PAPERS.test(text.slice(Math.max(0, match.index - 60), match.index));
      if (named && !isNamed) continue;
      const certainty = isNamed ? 'certain' : 'possible';
      findings.push({ kind: 'national_id', start: match.index, end: match.index + match[0].length, certainty });
    }
  }
  return findings;
}
