// The known word a person most likely meant; null when none is near.
export function closest(word: string, known: readonly string[]): string | null {
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    // One letter for another is another word.
    .filter(({ candidate, distance }) => distance < Math.max(word.length, candidate.length))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? null;
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 5) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const other = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(other, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}

// A name as one types it in a suggested command: quoted where a shell would cut it or take it for something else. It is
// the last word of its command, so that one that begins like an option can come after the mark that ends them.
export function typedName(name: string): string {
  const end = name.startsWith('-') ? '-- ' : '';
  if (/^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u.test(name)) return end + name;
  return end + (/["$`\\!]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : `"${name}"`);
}
