const VOWEL = /[aeiouy]/;
const MIN_STEM = 3;
const CONSONANT_TWICE = /([bdfgmnprt])\1$/;

// Light on purpose: plurals, -ing, -ed, -er, -ly and -ation meet, while short words and identifiers stay as they are.
export function stem(word: string): string {
  if (word.length <= MIN_STEM || !/^[a-z]+$/.test(word)) return word;
  let root = withoutPlural(word);
  root =
    without(root, 'ing') ??
    without(root, 'ed') ??
    without(root, 'ation', 'ate') ??
    without(root, 'ator', 'ate') ??
    without(root, 'er') ??
    without(root, 'or') ??
    without(root, 'ion') ??
    without(root, 'ment') ??
    without(root, 'ly') ??
    root;
  if (root.length > MIN_STEM && CONSONANT_TWICE.test(root)) root = root.slice(0, -1);
  if (root.length > MIN_STEM && root.endsWith('e')) root = root.slice(0, -1);
  if (root.length > MIN_STEM && root.endsWith('y') && !VOWEL.test(root.at(-2) ?? '')) root = `${root.slice(0, -1)}i`;
  return root;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function without(word: string, ending: string, instead = ''): string | null {
  const rest = word.slice(0, -ending.length);
  return word.endsWith(ending) && rest.length >= MIN_STEM && VOWEL.test(rest) ? rest + instead : null;
}
