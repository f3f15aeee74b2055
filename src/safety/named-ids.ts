import { type Finding, firstGroup } from './finding.ts';

// What papers and numbers of persons are called. Where the name stands beside it, the bare form is enough.
const PAPERS = [
  'ssn|social[ _-]?security|itin|mbi|medicare(?:[ _-]?(?:card|beneficiary))?|medicaid',
  'nino|national[ _-]?(?:insurance|id|identity|identification)|ni[ _-]number|nhs|utr',
  'bsn|burgerservicenummer|sofinummer|rijksregister(?:nummer)?|registre[ _-]national|niss|insz',
  'aadhaar|aadhar|pan[ _-]?card|voter[ _-]?id|epic[ _-]?no|ration[ _-]?card',
  'cpf|cnh|titulo[ _-]de[ _-]eleitor|dni|nie|nif|nuss|curp|cuil|cuit|rut|cedula|cédula|documento[ _-]de[ _-]identidad|tarjeta[ _-]sanitaria',
  'personnummer|samordningsnummer|personal[ _-]?(?:id|identity|identification|code)|f[oø]dselsnummer|fnr|cpr(?:[ _-]?nummer)?|henkil[oö]tunnus|hetu|kennitala|asmens[ _-]kodas|isikukood|personas[ _-]kods',
  'steuer[ _-]?(?:id|identifikationsnummer|nummer)|steuer-idnr|idnr|tax[ _-]?(?:id|file|payer|identification)|tin|tfn|personalausweis(?:nummer)?|ausweis(?:nummer|[ _-]?nr)?|sozialversicherungs(?:nummer|[ _-]?nr)|svnr|sv-?nummer|rentenversicherungsnummer|krankenversicherungs?nummer|versichertennummer|f[uü]hrerschein(?:nummer|[ _-]?nr)?|reisepass(?:nummer|[ _-]?nr)?|ahv(?:[ _-]?nummer)?',
  'nir|num[eé]ro[ _-](?:de[ _-])?s[eé]curit[eé][ _-]sociale|s[eé]cu|carte[ _-](?:nationale[ _-]d.identit[eé]|vitale)|passeport|permis[ _-]de[ _-]conduire|cni',
  'codice[ _-]?fiscale|carta[ _-]d.identit[aà]|patente(?:[ _-]di[ _-]guida)?|passaporto|tessera[ _-]sanitaria|pasaporte|carnet[ _-]de[ _-]conducir|licencia[ _-]de[ _-]conducir|passaporte|carta[ _-]de[ _-]condu[cç][aã]o|cart[aã]o[ _-]de[ _-]cidad[aã]o',
  'pesel|dow[oó]d[ _-]osobisty|prawo[ _-]jazdy|paszport|rodn[eé][ _-][cč][ií]slo|ob[cč]ansk[yý][ _-]pr[uů]kaz|szem[eé]lyi(?:[ _-]?sz[aá]m)?|taj(?:[ _-]?sz[aá]m)?|cnp|egn|oib|jmbg|em[sš]o|afm|amka|αφμ|αμκα',
  'инн|снилс|паспорт(?:ные данные)?|водительское удостоверение|іпн|рнокпп|iin|иин|tc[ _-]?kimlik(?:[ _-]?no)?|teudat[ _-]zehut|nric|hkid|mykad|ktp|my[ _-]?number|マイナンバー|免許証番号|パスポート番号|身份证(?:号码?)?|护照(?:号码?)?|주민등록번호|rrn|여권번호|cnic|emirates[ _-]?id|iqama',
  'sin|social[ _-]?insurance|health[ _-]?(?:card|insurance)|insurance[ _-]?(?:id|policy)|id[ _-]?card|identity[ _-]?card|passport|travel[ _-]document|residence[ _-]permit|visa[ _-](?:number|no)|green[ _-]card|alien[ _-]registration|military[ _-]id|student[ _-]visa|driver.?s?[ _-]?licen[cs]e|driving[ _-]?licen[cs]e|licen[cs]e[ _-]plate|rijbewijs(?:nummer)?|k[oö]rkort(?:snummer)?',
].join('|');
const AFTER_NAME =
  '(?:[ _-]?(?:number|num|no|nr|n[°º]|n[uú]mero|num[eé]ro|nummer|code|id|#|号|番号|номер))?(?!\\p{L})\\.?["\'`)\\]]{0,2}[ \\t]{0,3}(?:\\([^()\\n]{1,24}\\)[ \\t]{0,2})?(?:[:=#：-]|is|was|ist|lautet|est|es|é|è|=>)?[ \\t"\'`]{0,3}';
const NUMBER = '((?=[A-Z]{0,6}[ -]?[0-9])(?:[A-Z0-9]|(?<=[A-Z0-9])[ ./-](?=[A-Z]{0,2}[0-9])){6,24})';
const NAMED = new RegExp(`(?<!\\p{L})(?:${PAPERS})${AFTER_NAME}${NUMBER}(?![\\p{L}\\p{N}_])`, 'dgiu');
// Everyday words in some language; they need a sign between them and the number.
const ALSO_A_WORD = /^(?:sin|tin|nie|nir|dni|cpr|my number|rut|patente|taj|insurance|utr|mbi|nif|secu)[^:=#：]*$/i;
// Accounts at a bank that have no check of their own.
const BANK =
  /(?<!\p{L})(?:bank[ _-]?account(?:[ _-]?(?:number|no))?|account[ _-]?(?:number|no\.?)|kontonummer|konto-?nr\.?|num[eé]ro[ _]de[ _]compte|n[uú]mero[ _]de[ _]cuenta|conta[ _]corrente|clabe|routing[ _-]?number|sort[ _-]?code|bankleitzahl|blz|bsb)["'`)\]]{0,2}[ \t]{0,3}(?:[:=#]|is|ist|est|es)?[ \t"'`]{0,3}([0-9](?:[ -]?[0-9]){5,19})(?![\p{L}\p{N}])/dgiu;
const BORN =
  /(?<![\p{L}])(?:date[ _-]of[ _-]birth|birth[ _-]?date|birth[ _-]?day|bday|dob|d\.o\.b\.?|geburts(?:datum|tag)|geboren(?:[ _-]am)?|geb\.|date[ _-]de[ _-]naissance|n[eé]e?[ _-]le|fecha[ _-]de[ _-]nacimiento|data[ _-]de[ _-]nascimento|data[ _-]di[ _-]nascita|nato[ _-]il|geboortedatum|f[oø]dselsdato|f[oö]delsedatum|syntym[aä]aika|data[ _-]urodzenia|datum[ _-]narozen[ií]|дата[ _-]рождения|生年月日|出生日期|생년월일)["'`)\]*]{0,3}[ \t]{0,3}(?:[:=：]|is|was|on|ist)?[ \t"'`*]{0,4}((?:19|20)[0-9]{2}[-./年년][ ]?[0-9]{1,2}[-./月월][ ]?[0-9]{1,2}[日일]?|[0-9]{1,2}[-./ ][ ]?[0-9]{1,2}[-./ ][ ]?(?:19|20)?[0-9]{2}|[0-9]{1,2}(?:st|nd|rd|th|\.)?[ ](?:of[ ])?\p{L}{3,10}\.?,?[ ](?:19|20)[0-9]{2}|\p{L}{3,10}\.?[ ][0-9]{1,2}(?:st|nd|rd|th)?,?[ ](?:19|20)[0-9]{2}|(?:19|20)[0-9]{6})(?![\p{N}])/dgiu;

const STREET =
  "(?:[0-9]{1,5}[A-Za-z]?,?[ ](?:[\\p{L}.'’-]{1,24}[ ]){1,4}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|square|sq|place|pl|terrace|close|crescent|highway|hwy|parkway|pkwy)(?!\\p{L})\\.?|\\p{L}[\\p{L}.'’ -]{1,30}(?:stra[sß]e|strasse|str\\.|gasse|weg|allee|platz|ring|ufer|damm|straat|laan|gatan|vägen|gata|vej|veien|katu|utca|ulica)[ ][0-9]{1,4}[ ]?[a-z]?(?!\\p{L})|[0-9]{1,4}(?:[ ]?(?:bis|ter))?,?[ ](?:rue|avenue|boulevard|allée|chemin|place|quai|impasse)[ ][\\p{L}'’ -]{2,40}|(?:calle|c/|avenida|av\\.|plaza|paseo|rua|via|viale|piazza|corso|ul\\.|ulica|aleja|улица|ул\\.)[ ][\\p{L}.'’ -]{2,40},?[ ](?:n[°º.]?[ ]?|д\\.?[ ]?)?[0-9]{1,4}[a-z]?(?!\\p{L}))";
const REST_OF_ADDRESS =
  "(?:,?[ ](?:(?:apt|flat|unit|suite|ste|apartment|whg)\\.?[ ]?[\\w#-]{1,8},?[ ]?)?[\\p{L}\\p{N}.'’ -]{2,40}){0,4}";
const LIVES = new RegExp(
  `(?<![\\p{L}])(?:(?:home|postal|mailing|street|billing|shipping|delivery|private|residential|post)?[ _-]?address(?:[ _-]?(?:line)?[ _-]?1)?|street|anschrift|adresse|wohnhaft(?:[ ]in)?|domicilio|direcci[oó]n|endere[cç]o|indirizzo|adres|адрес|lives[ ]at|resides[ ]at|ship[ ]to|deliver[ ]to)["'\`)\\]*]{0,3}[ \\t]{0,3}(?:[:=：]|is|ist)?[ \\t"'\`*]{0,4}(${STREET}${REST_OF_ADDRESS})`,
  'dgiu',
);

// Numbers of papers, birth dates and home addresses, where their name stands beside them.
export function findNamedIds(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(NAMED)) {
    const [start, end] = firstGroup(match);
    const value = text.slice(start, end);
    const name = text.slice(match.index, start);
    if (isNumber(value) && !ALSO_A_WORD.test(name)) findings.push({ kind: 'national_id', start, end });
  }
  for (const [kind, pattern] of [
    ['birth_date', BORN],
    ['postal_address', LIVES],
    ['bank_account', BANK],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = firstGroup(match);
      findings.push({ kind, start, end });
    }
  }
  return findings;
}

function isNumber(value: string): boolean {
  const digits = value.replace(/[^0-9]/g, '').length;
  const isVersion = /^[0-9]+(?:\.[0-9]+){1,3}$/.test(value) && !/^[0-9]{1,3}(?:\.[0-9]{3})+$/.test(value);
  return (digits >= 5 || (digits >= 4 && /^[A-Z]/i.test(value) && value.length >= 7)) && !isDate(value) && !isVersion;
}

function isDate(value: string): boolean {
  return /^(?:(?:19|20)[0-9]{2}[-. /][0-9]{2}[-. /][0-9]{2}|[0-9]{1,2}[-. /][0-9]{1,2}[-. /](?:19|20)[0-9]{2})(?![0-9])/.test(
    value,
  );
}
