// Published specimens, and numbers made by each country's published rule with a program of its own. Of no one.
const CHECKED: [country: string, numbers: string][] = [
  ['Germany, tax number', '86 095 742 719 | 65929970489 | 47036892816 | 24869143541 | 73654489213'],
  ['Brazil', '529.982.247-25 | 111.444.777-35 | 312.723.525-95'],
  ['France', '2 95 10 99 126 111 93 | 1 85 05 78 006 084 91 | 233122A95527775 | 188122B82592431 | 222117597948994'],
  ['Spain', '54362315K | X-2482300W | 12345678Z | Y9643112P | Z7718694Z | X6854488M | 52529571D'],
];
const UNCHECKED: [country: string, numbers: string][] = [
  ['United States', '219-09-9999 | 912-73-1234'],
  ['United Kingdom, national insurance', 'AB 12 34 56 C | AB123456C'],
];
const NAMED: [paper: string, numbers: string][] = [
  [
    'codice fiscale',
    'RSSMRA85T10A562S | MRTMTT91D08F205J | CANRND13S17Y134E | VWTIDB39R17P772S | HLUGLA12M14G462G | JOVKVE32E21Q194T | JKGGBK14D17E329V | LTTBVA78C14M445W | AZCBNY64D20M685X | TQJLTH37C16D876G',
  ],
  ['PPS number', '1234567FA | 3666879EA | 2396762EB | 3255192BI | 6836928CW | 4693646JH'],
  ['fødselsnummer', '15108695088 | 16116847918 | 14111475327'],
  ['TC kimlik no', '10000000146 | 17291716060 | 73238331178 | 34751673398'],
  ['PESEL', '44051401359 | 02070803628 | 52312016259 | 65322138835'],
  ['isikukood', '37605030299 | 36805280109 | 15112231973 | 59612223778 | 22411259680'],
  ['rodné číslo', '710319/2745 | 271221/7915 | 536215/5865 | 253217/6889 | 628112/8392'],
  ['Rentenversicherungsnummer', '15070649C103 | 15 070649 C 103 | 79141271L633 | 18771262T513'],
  [
    'NRIC',
    'S1234567D | F1234567N | G1234567X | M1234567K | S2864673I | S5822576B | T2971474B | T5235298Z | F7397428M | F6321361Q | G1598792N | G1448189W | M2589113Q | M7971417P',
  ],
  [
    'HKID',
    'A123456(3) | AB987654(3) | C123456(9) | B777136(9) | XG354726(8) | WX477453(A) | Z865123(0) | K822717(9) | EC341868(3) | RD384261(9)',
  ],
  ['national id', '1-2345-67890-12-1 | 4-8111-47494-51-2 | 4-1761-95882-26-9'],
  ['id number', '8001015009087 | 9512235328189'],
  ['CUIT', '20-05536168-2 | 23-49729596-3 | 33-38628148-9'],
  ['СНИЛС', '112-233-445 95 | 615-292-218 77 | 259-722-165 00'],
  ['Aadhaar', '2341 2341 2346 | 8813 3202 7042 | 7672 9163 1125 | 4150 5846 9019 | 6105 8432 9720'],
  ['personnummer', '811228-9874 | 121212-1212 | 781217-7777 | 19251228-1664'],
  ['hetu', '131052-308T | 251131-479E | 151164A297M | 161188+3838 | 221228Y5284'],
  ['rijksregisternummer', '85.07.30-033.28 | 17.07.30-033.84 | 66.12.18-295.53 | 65.12.27-166.17'],
  [
    '身份证号码',
    '11010519491231002X | 360426199101010071 | 586341198612182860 | 494573198612247351 | 743664194812272692 | 677152193412239613 | 934435199912186974 | 427326196112126225 | 361355191112179156 | 222655191212252847 | 894769191712142978 | 142287194312159589 | 64197119461219281x',
  ],
  ['AHV-Nummer', '756.9217.0769.85 | 756.1797.5159.39'],
  ['주민등록번호', '181226-8858913 | 151213-6953659'],
  ['CURP', 'HEGG560427MVZRRL04'],
];

const apart = ([country, numbers]: [string, string]): [string, string[]] => [country, numbers.split(' | ')];

/** Numbers whose country gives them a check: one wrong digit and it is none. */
export const CHECKED_IDS = CHECKED.map(apart);
/** Numbers that show by their form alone. */
export const UNCHECKED_IDS = UNCHECKED.map(apart);
/** Numbers of other countries, by what people call the paper they are on. */
export const NAMED_IDS = NAMED.map(apart);
