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

const VERHOEFF_TURNS = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    check = dihedral(check, Number(VERHOEFF_TURNS[index % 8]?.[digit]));
  }
  return check === 0;
}

// The product of two symmetries of a pentagon: 0–4 turn it, 5–9 turn it over.
function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5;
}

// ISO 7064 mod 11,10: the German tax number.
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

// A day that a calendar can hold; the century is not needed.
export function isDay(month: string, day: string): boolean {
  const last = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= last;
}
