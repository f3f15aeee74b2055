import {
  entropyOf,
  flipsCase,
  isCode,
  isHolderName,
  isLocation,
  isMixed,
  isPlaceholder,
  isSlug,
  isStatus,
} from './benign-value.ts';
import type { SecretName } from './secret-names.ts';

export type Value = { start: number; end: number; quoted: boolean; isCut: boolean };
// A loose tie also occurs in prose, so its value must look like a secret.
export type TieOf = { loose: boolean; label: string };

// Whether a value that is given to a name is the secret itself, and no stand-in, place, type or word about it.
export function isSecret(text: string, name: SecretName, place: Value, tie: TieOf): boolean {
  const value = text.slice(place.start, place.end);
  const hasLetter = /\p{L}/u.test(value);
  if (isPlaceholder(value) || isLocation(value) || repeats(tie.label, value)) return false;
  if (name.strength === 'digits') return isCodeOfDigits(value);
  if (!/[A-Za-z0-9]/.test(value) || (!place.quoted && (isCode(value) || isStatus(value)))) return false;
  const isWordLike = name.strength === 'password' || name.strength === 'everyday';
  if (!isWordLike && (isHolderName(value) || (!place.quoted && !/^[\w+/=.~:%!@#$^&*-]+$/.test(value)))) return false;
  const followedByWords = /^[ \t]+[\p{L}(]/u.test(text.slice(place.end, place.end + 16));
  // `const passphrase = locked ? …`, `load(): Promise<…>`
  const followedByCode = /^[ \t]*(?:[?&|+*(<]|={2})/.test(text.slice(place.end, place.end + 16));
  if (!place.quoted && (followedByWords || followedByCode) && !looksRandom(value)) return false;
  if (tie.loose && !(looksRandom(value) && standsOut(value, name))) return false;
  if (/\s/.test(value)) return isPassphrase(name, value);
  return isLongEnough(value, name, { quoted: place.quoted, hasLetter });
}

function isLongEnough(
  value: string,
  name: SecretName,
  { quoted, hasLetter }: { quoted: boolean; hasLetter: boolean },
): boolean {
  switch (name.strength) {
    case 'password':
      return value.length >= 4 && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}|^[~^]?v?[0-9]+\.[0-9]+\.[0-9]+$/.test(value);
    case 'everyday':
      return value.length >= 5 && looksRandom(value) && !isTechnical(value) && !isSlug(value);
    case 'secret':
      return value.length >= 6 && hasLetter && !isSlug(value) && (quoted || looksRandom(value));
    case 'token':
      return (
        value.length >= 8 &&
        !isSlug(value) &&
        ((/\p{N}/u.test(value) && hasLetter) || flipsCase(value) || (value.length >= 20 && hasLetter))
      );
    case 'weak':
      return (
        value.length >= 20 &&
        /^[\w+/=.~-]+$/.test(value) &&
        isMixed(value) &&
        entropyOf(value) >= 3.5 &&
        !isSlug(value) &&
        !value.startsWith('AAAA')
      );
    case 'digits':
      return isCodeOfDigits(value);
  }
}

function isCodeOfDigits(value: string): boolean {
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const bare = value.replace(/(?<=[0-9A-Za-z])[ -](?=[0-9A-Za-z])/g, '');
  return (
    /^[0-9]{3,10}$/.test(bare) || (/^[A-Za-z0-9]{6,16}$/.test(bare) && /[0-9]/.test(bare) && /[A-Za-z]/.test(bare))
  );
}

export function looksRandom(value: string): boolean {
  return /\p{L}/u.test(value) && (/\p{N}/u.test(value) || /[!@#$%^&*+~]/.test(value) || flipsCase(value));
}

// Words with digits that every programmer writes: names of methods, versions and standards.
export function isTechnical(value: string): boolean {
  return /^(?:base(?:32|58|64)|sha-?[0-9]+|md[45]|utf-?(?:8|16)|oauth-?[12]|argon2\w*|pbkdf2|bcrypt|scrypt|[hrep]s(?:256|384|512)|aes-?(?:128|192|256)|rsa-?[0-9]+|ed25519|x25519|secp256\w*|p-?256|x\.?509|1password|auth0|2fa|mfa|s3|ec2|k8s|h2|ipv[46]|tls-?[0-9.]*|http\/?[0-9.]*|web3|log4j|i18n|l10n|a11y|iso-?[0-9]+|rfc-?[0-9]+|nist|pkcs#?[0-9]*|fido2|win(?:dows)?[0-9]+|v?[0-9]+(?:\.[0-9]+)+|v[0-9]+|[0-9]+(?:-?[a-z]{1,5})?|[0-9]+[-/x][0-9]+|[a-z][\w./-]*:v?[0-9]+(?:\.[0-9]+)*$)(?:[-.,:_/]|$|encod|hash|json)/i.test(
    value,
  );
}

// `CHALLENGE_PASSWORD: "challengePassword"` says its own name.
function repeats(label: string, value: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return plain(value).length >= 4 && plain(label).endsWith(plain(value));
}

// Several words are a passphrase only where no word of a sentence stands among them.
function isPassphrase(name: SecretName, value: string): boolean {
  if (name.strength !== 'password' || value.includes('\n') || value.length > 240) return false;
  const sentence =
    /(?:^|\s)(?:the|a|an|is|are|must|your|enter|please|for|to|of|at|and|or|not|be|no|password|field|in|with|on|de|le|la|el|les|du|votre|tu|su|der|die|das|ein|eine|ist|und|oder|mit|muss|bitte|het|een|uw|il|per|con|è|o|seu|sua|para|com)(?=\s|[.,:!?]?$)/i;
  return !sentence.test(value) && !/[.!?…]$/.test(value) && (value.split(/\s+/).length >= 3 || /[0-9]/.test(value));
}

export function standsOut(value: string, name: SecretName): boolean {
  const isWordLike = name.strength === 'password' || name.strength === 'everyday';
  if (value.length < (isWordLike ? 5 : 16) || /\s|^[([{]/.test(value)) return false;
  return !isTechnical(value) && !isSlug(value);
}
