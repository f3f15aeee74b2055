const MOST = 100;

/** What a person may mean so far: names that begin with it, then names that hold it. */
export function startingWith(names: readonly string[], typed: string): string[] {
  const low = typed.toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(low));
  const holds = names.filter((name) => !begins.includes(name) && name.toLowerCase().includes(low));
  return [...begins, ...holds].slice(0, MOST);
}
