const PLACEHOLDER = /\{\{[ \t]{0,8}([A-Za-z_][A-Za-z0-9_.-]{0,127})[ \t]{0,8}\}\}/g;

export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string))];
}

// One pass: what a value brings is never expanded again.
export function fillPlaceholders(text: string, textFor: (name: string) => string): string {
  return text.includes('{{') ? text.replace(PLACEHOLDER, (_, name: string) => textFor(name)) : text;
}

/** `item.title` asks the input `item` for its field. */
export function headOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}
