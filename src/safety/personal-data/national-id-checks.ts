import { isDay, passesLuhn, passesMod11And10, weightedSum } from './check-digits.ts';

// How countries check their own numbers. Every argument is digits and letters only.

export function isGermanTaxId(digits: string): boolean {
  const counts = [...'0123456789'].map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && passesMod11And10(digits);
}

// Values of the characters at odd places, from 0 to 9 and from A to Z.
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

export function isFiscalCode(code: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const value = Number.parseInt(code.charAt(index), 36);
    const place = value > 9 ? value - 10 : value;
    sum += index % 2 === 0 ? (ODD[place] ?? 0) : place;
  }
  return String.fromCharCode(65 + (sum % 26)) === code.charAt(15).toUpperCase();
}

export function isCpf(digits: string): boolean {
  if (/^(.)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return ((weightedSum(digits, weights) * 10) % 11) % 10 === Number(digits[length]);
  });
}

export function isIrish(number: string): boolean {
  const second = number.charCodeAt(8) - 64;
  const more = number.length < 9 || number.endsWith('W') ? 0 : second;
  const sum = weightedSum(number, [8, 7, 6, 5, 4, 3, 2]) + 9 * more;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === number[7];
}

export function isNorwegian(digits: string): boolean {
  return (
    isDay(digits.slice(2, 4), digits.slice(0, 2)) &&
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

export function isTurkish(digits: string): boolean {
  const odd = weightedSum(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weightedSum(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const sum = weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  return digits[0] !== '0' && (odd * 7 - even + 100) % 10 === Number(digits[9]) && sum % 10 === Number(digits[10]);
}

export function isPolish(digits: string): boolean {
  const month = String(Number(digits.slice(2, 4)) % 20).padStart(2, '0');
  return isDay(month, digits.slice(4, 6)) && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

export function isBritishLicence(number: string): boolean {
  const month = Number(number.slice(6, 8)) % 50;
  return isDay(String(month), number.slice(8, 10));
}

// Estonia and Lithuania: two rounds of weights.
export function isBaltic(digits: string): boolean {
  if (!/^[1-6]/.test(digits) || !isDay(digits.slice(3, 5), digits.slice(5, 7))) return false;
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  return (first < 10 ? first : second % 10) === Number(digits[10]);
}

export function isIcelandic(digits: string): boolean {
  const check = (11 - (weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return isDay(digits.slice(2, 4), digits.slice(0, 2)) && check === Number(digits[8]) && /[089]$/.test(digits);
}

// Women's months count from 51, and a full register may add 20.
export function isCzech(digits: string): boolean {
  const month = (Number(digits.slice(2, 4)) % 50) % 20;
  return isDay(String(month), digits.slice(4, 6)) && Number(digits) % 11 === 0;
}

export function isYugoslav(digits: string): boolean {
  const check = (11 - (weightedSum(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return isDay(digits.slice(2, 4), digits.slice(0, 2)) && check === Number(digits[12]);
}

export function isAustrian(digits: string): boolean {
  const check = weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11;
  return isDay(digits.slice(6, 8), digits.slice(4, 6)) && check === Number(digits[3]);
}

export function isGermanPension(number: string): boolean {
  const letter = String(number.charCodeAt(8) - 64).padStart(2, '0');
  const digits = `${number.slice(0, 8)}${letter}${number.slice(9, 11)}`;
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, index) => {
    const product = weight * Number(digits[index]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return isDay(number.slice(4, 6), String(Number(number.slice(2, 4)) % 50)) && sum % 10 === Number(number[11]);
}

export function isSingaporean(number: string): boolean {
  const first = number.charAt(0);
  const sum = weightedSum(number.slice(1), [2, 7, 6, 5, 4, 3, 2]) + (/[TG]/.test(first) ? 4 : first === 'M' ? 3 : 0);
  const letters = /[ST]/.test(first) ? 'JZIHGFEDCBA' : first === 'M' ? 'KLJNPQRTUWX' : 'XWUTRQPNMLK';
  const place = first === 'M' ? 10 - (sum % 11) : sum % 11;
  return letters[place] === number[8];
}

export function isHongKong(number: string): boolean {
  const letters = number.replace(/[0-9].*$/, '').padStart(2, '$');
  const values = [...letters].map((letter) => (letter === '$' ? 36 : letter.charCodeAt(0) - 55));
  const digits = number.replace(/^[A-Z]+/, '');
  const sum = 9 * (values[0] ?? 0) + 8 * (values[1] ?? 0) + weightedSum(digits, [7, 6, 5, 4, 3, 2]);
  const check = (11 - (sum % 11)) % 11;
  return (check === 10 ? 'A' : String(check)) === number.at(-1);
}

export function isTaiwanese(number: string): boolean {
  const value = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(number.charAt(0)) + 10;
  const sum = Math.floor(value / 10) + (value % 10) * 9 + weightedSum(number.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1]);
  return sum % 10 === 0;
}

export function isThai(digits: string): boolean {
  return (11 - (weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(digits[12]);
}

export function isSouthAfrican(digits: string): boolean {
  return isDay(digits.slice(2, 4), digits.slice(4, 6)) && passesLuhn(digits);
}

export function isArgentine(digits: string): boolean {
  return (11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(digits[10]);
}

export function isChilean(number: string): boolean {
  const digits = number.slice(0, -1).padStart(8, '0');
  const check = (11 - (weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return (check === 10 ? 'K' : String(check)) === number.at(-1)?.toUpperCase();
}

export function isSnils(digits: string): boolean {
  const sum = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101;
  return (sum === 100 ? 0 : sum) === Number(digits.slice(9));
}
