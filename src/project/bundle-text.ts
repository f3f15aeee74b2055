// A bundle that somebody kept in the project holds the words of every task it was made for: it is no source of its own.
export function isBundleText(text: string): boolean {
  if (text.startsWith('{')) return /^\{\s*"adapters": \[/.test(text) && text.includes('"bundle_sha256": "');
  if (text.startsWith('# Context\n')) return /\n- bundle: [0-9a-f]{64}\n$/.test(text.slice(-80));
  return text.startsWith('<context>\n') && / sha256="[0-9a-f]{64}"\/>\n<\/context>\n$/.test(text.slice(-120));
}
