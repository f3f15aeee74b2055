import { widthOf } from '../views/columns.ts';

/** One line of keys; null: they changed their mind, undefined: the input ended. `write` echoes what is typed. */
export async function lineOfKeys(
  next: () => Promise<string | null>,
  write: (text: string) => void,
): Promise<string | null | undefined> {
  for (let line = ''; ; ) {
    const key = (await next()) ?? '';
    if (key === 'enter') return line;
    if (key === 'end') return undefined;
    if (key === 'escape' || key === 'ctrl-c') return null;
    if (key === 'backspace') {
      const last = [...line].at(-1) ?? '';
      line = line.slice(0, line.length - last.length);
      write('\b \b'.repeat(widthOf(last)));
    } else if ([...key].length === 1 && key >= ' ') {
      line += key;
      write(key);
    }
  }
}
