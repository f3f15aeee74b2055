// A name as one types it in a suggested command: quoted where a shell would cut it or take it for something else. It is
// the last word of its command, so that one that begins like an option can come after the mark that ends them.
export function typedName(name: string): string {
  const end = name.startsWith('-') ? '-- ' : '';
  if (/^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u.test(name)) return end + name;
  return end + (/["$`\\!]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : `"${name}"`);
}
