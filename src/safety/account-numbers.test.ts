import { describe, expect, test } from 'vitest';
import { findAccountNumbers } from './personal-data.ts';

const found = (text: string) =>
  findAccountNumbers(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const inFours = (text: string, separator = ' ') => text.replace(/.{4}(?=.)/g, `$&${separator}`);

// Made by the rule, one for each country of the register, in its length.
const IBANS = `
  AD2249368218594489987343 AE189712315158777836213 AL09845757976974615369245522 AT798826273157721176
  AZ41959415122914755316663778 BA669792957457595961 BE10761731686658 BG10111658563636655721
  BH26359454637226648326 BR234854219463562637595867577 BY95173418979418959642524119 CH1147118239541997126
  CR92359816442923453187 CY03154599718611312128129986 CZ2436267756546723917231 DE23689717168677814495
  DK9427473166952829 DO05726921834719227316212855 EE422199429291963243 EG364875676972794737983733288
  ES1998335439649575451587 FI6943646837848918 FO1427184424544533 FR8815316372222551686116677
  GB59WQRT73962527289529 GE87668552699289615333 GI516822936795388532239 GL5797625571318954
  GR8196678926823522234773374 GT80993345651877695895814124 HR8483984494198253382 HU84116492891666632126424748
  IE70WQRT24378829748518 IL848783815668967414563 IQ118943413793132388311 IS467867114717814427843626
  IT4421558584951666217212121 JO1639181496486861757253729796 KW5797379636784886539781331822 KZ386411886612472652
  LB92824413312454499796948321 LC212124522874286782587429185266 LI4248296729446164782 LT835463448976478781
  LU135132135991814458 LV17WQRT4532857824385 LY17763758899465518665491 MC3613939131148669183415761
  MD8492855487561171343796 ME16935131181889976935 MK63323927688558593 MR3263917848516928355272619
  MT72WQRT63776154166795137572844 MU1229221527588559913483333871 NL32WQRT3543319394 NO0972773152323
  PK2953762416384269826816 PL14987899583987453536543117 PS753213276952898634689666665 PT02553294645758386939981
  QA642779514774269419827796156 RO6796786283641621324675 RS47411969864862974835 SA6059423271671838537497
  SC71575222862168726746472191994 SD0723489756894456 SE4439696694817548432829 SI05746316847147674
  SK3935565162445833484464 SM0339797358612988135978479 ST63867832763626935893868 SV07164295596751796786345472
  TL466936839784796218439 TN3432299279967528564524 TR232867356359444566223248 UA446263318593687977559573113
  VA09714394651964234287 VG4253296353223212978985 XK843125731169662147
`
  .trim()
  .split(/\s+/);

// The numbers that card networks give out for tests, but for those that every handbook prints.
const CARDS = [
  ...['4222222222222', '4000000000000000006', '2223003122003222', '2720990000000015', '2300000000000003'],
  ...['341111111111111', '30569309025904', '38520000023237', '36227206271667', '3530111333300000', '6221261111117766'],
  ...['6445644564456445', '6500000000000002', '6011000991300009', '6304000000000000', '6759649826438453'],
];

describe('L17 bank accounts', () => {
  test('L17 of every country are found in their length, however they are written', () => {
    for (const iban of IBANS)
      for (const written of [iban, inFours(iban), inFours(iban, '-')])
        expect(found(`to ${written}, thanks`).filter((one) => one.startsWith('iban'))).toEqual([`iban ${written}`]);
  });

  test('L17 with one character more or less, a wrong digit or an unknown country are none', () => {
    for (const iban of IBANS) {
      const wrong = iban.slice(0, -1) + ((Number(iban.at(-1)) + 1) % 10);
      for (const text of [iban.toLowerCase(), iban.slice(0, -1), `${iban}0`, `x${iban}`, wrong, `ZZ${iban.slice(2)}`])
        expect(found(text).filter((one) => one.startsWith('iban'))).toEqual([]);
    }
  });
});

describe('L17 cards', () => {
  test('L17 of every network are found, in one piece and in groups', () => {
    for (const card of CARDS) {
      const four = inFours(card);
      const amex = `${card.slice(0, 4)}-${card.slice(4, 10)}-${card.slice(10)}`;
      for (const written of [
        card,
        ...(card.length > 13 ? [four, four.replaceAll(' ', '-')] : []),
        ...(card.length === 15 || card.length === 14 ? [amex] : []),
      ])
        expect(found(`paid with ${written}.`)).toEqual([`card_number ${written}`]);
    }
  });

  test('L17 among other numbers the card alone is found, also where it goes on in the next line', () => {
    expect(found('7 4539 1488 0343 6467 12 27')).toEqual(['card_number 4539 1488 0343 6467']);
    expect(found('4539 1488\n0343 6467')).toEqual(['card_number 4539 1488\n0343 6467']);
  });

  test('L25 certain in printed groups or beside a word for it, else only possible', () => {
    const certainty = (text: string) => findAccountNumbers(text).map((finding) => finding.certainty);
    expect(certainty('4539 1488 0343 6467')).toEqual(['certain']);
    expect(certainty('"card": "4539148803436467"')).toEqual(['certain']);
    expect(certainty('seed 4539148803436467')).toEqual(['possible']);
  });

  test.each([
    ['a sample of every handbook', '4111 1111 1111 1111'],
    ['a fraction', '0.4539148803436467'],
    ['a wrong digit', '4539148803436468'],
    ['no network', '1111111111111117'],
    ['one digit only', '4444444444444444'.replaceAll('4', '0')],
    ['part of a word', 'a4539148803436467'],
    ['part of a longer number', '45391488034364670'],
    ['part of an id', 'dead-4539148803436467'],
    ['before the rest of an id', '4539148803436467-beef'],
    ['odd groups', '453 91488 0343 6467'],
    ['two characters between', '4539 1488-0343 6467'],
    ['too short', '422222222222'],
  ])('L17 %s is no card', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});
