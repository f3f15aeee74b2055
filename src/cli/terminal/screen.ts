import { keyGuard } from '../../key-guard.ts';
import { fitTo, widthOf, wrap } from '../views/columns.ts';
import { lineOfKeys } from './line-of-keys.ts';
import { answered, type Terminal } from './terminal.ts';

/** A conversation with a person, one thing at a time. */
export interface Screen {
  /** Shows a page and waits for one of its keys; `q` where the person leaves. */
  choose(page: Page): Promise<string>;
  /** One line of the person's own, asked for again until `read` takes it; null: they changed their mind. */
  line<T>(question: string, read: (typed: string) => T): Promise<T | null>;
  /** The outcome of what was chosen. */
  say(text: string): void;
  /** Gives the terminal to another program, such as an editor. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface Page {
  /** Lines that fit into this many columns. */
  lines(columns: number): string[];
  /** What may be chosen, as shown at the foot; `[a]ccept` answers to `a`. */
  keys: string;
  help: string[];
  /** Those that say yes to all that is shown: they count only once its end was on the screen. */
  yes?: string;
  /** Its end was on the screen. */
  onEnd?(): void;
}

const ENTER_ALTERNATE = '\u001b[?1049h';
const LEAVE_ALTERNATE = '\u001b[?1049l';
const CLEAR = '\u001b[H\u001b[2J';
/** In the place of the keys, as long as none of them counts. */
const WAIT = '…';
const LEAVE = new Set(['q', 'ctrl-c', 'end']);
const FORWARD = new Set([' ', 'down', 'pagedown', 'j']);
const BACK = new Set(['b', 'up', 'pageup', 'k']);

export function openScreen(terminal: Terminal, plain: boolean): Screen {
  return plain || !terminal.canDraw ? lineScreen(terminal) : fullScreen(terminal);
}

// Redrawn as a whole, also when the window changes; what was decided is told again on the person's own screen at the end.
function fullScreen(terminal: Terminal): Screen {
  let keys = terminal.openKeys();
  const guard = keyGuard(() => performance.now());
  let coming: Promise<string> | null = null;
  const said: string[] = [];
  let notice = '';
  let inside = false;
  // Once only: leaving twice would put the cursor where it was at the beginning.
  const show = (isInside: boolean): void => {
    if (isInside !== inside) terminal.write(isInside ? ENTER_ALTERNATE : LEAVE_ALTERNATE);
    inside = isInside;
  };
  show(true);
  terminal.onExit(() => show(false));
  const draw = (page: Page, from: number, { isReady, hint = '' }: { isReady: boolean; hint?: string }) => {
    const { columns, rows, paint } = terminal;
    const choices = footOf(page.keys, columns);
    const foot = isReady ? choices : choices.map((_, row) => (row === 0 ? paint('dim', WAIT) : ''));
    const status = [notice || (said.at(-1) ?? '')].filter(Boolean).map((line) => paint('bold', fitTo(line, columns)));
    const lines = page.lines(columns);
    const room = Math.max(3, rows - foot.length - status.length - 2);
    const shown = lines.slice(from, from + room);
    const rest = Math.max(0, lines.length - from - room);
    const part = `lines ${from + 1}-${from + shown.length} of ${lines.length}  space: on  b: back${hint}`;
    const more = lines.length > room ? paint('dim', fitTo(part, columns)) : '';
    const gap = Array.from({ length: Math.max(0, room - shown.length) }, () => '');
    terminal.write(CLEAR + [...shown, ...gap, more, ...status, ...foot].join('\r\n'));
    return { rest, room };
  };
  // The next key, or null after `wait`: it is what was drawn with, else the choices might never be shown.
  const nextKey = async (wait = 0): Promise<string | null> => {
    coming ??= keys.next();
    let timer: NodeJS.Timeout | undefined;
    const ready = new Promise<null>((resolve) => {
      if (wait > 0) timer = setTimeout(() => resolve(null), wait);
    });
    const key = await Promise.race([coming, ready]);
    clearTimeout(timer);
    if (key !== null) coming = null;
    return key;
  };
  const showHelp = async ({ help }: Page): Promise<void> => {
    const page = { lines: (columns: number) => helpRows(help, columns), keys: '[any key] goes back', help: [] };
    for (let key: string | null = 'resize'; key === null || key === 'resize'; key = await nextKey())
      draw(page, 0, { isReady: true });
    guard.screenChanged();
  };
  return {
    async choose(page) {
      const allowed = keysOf(page.keys);
      let from = 0;
      let sawEnd = false;
      guard.screenChanged();
      for (;;) {
        const wait = guard.readyIn();
        const hint = sawEnd || page.yes === undefined ? '' : '  a yes counts at the end';
        const { rest, room } = draw(page, from, { isReady: wait === 0, hint });
        if (rest === 0 && !sawEnd) {
          sawEnd = true;
          page.onEnd?.();
        }
        const key = await nextKey(wait);
        if (key === null) continue;
        notice = '';
        if (LEAVE.has(key)) return 'q';
        const counts = key === 'resize' || guard.press(key);
        if (key === '?') await showHelp(page);
        else if (allowed.has(key)) {
          if (counts && (sawEnd || !page.yes?.includes(key))) return key;
        } else if (FORWARD.has(key)) from += Math.min(room, rest);
        else if (BACK.has(key)) from = Math.max(0, from - room);
        else if (key === 'resize') from = 0;
        else if (counts && key > ' ' && [...key].length === 1)
          notice = `"${key}" does nothing here; there are ${[...allowed].join(' ')}`;
      }
    },
    line: (question, read) =>
      answered(terminal, read, async () => {
        terminal.write(`\r\n${question} (Enter for none, Esc to go back): `);
        const typed = await lineOfKeys(nextKey, terminal.write);
        terminal.print('');
        // The terminal is gone: what comes next hears of it too.
        if (typed === undefined) coming = Promise.resolve('end');
        return typed ?? null;
      }),
    say: (text) => void said.push(text),
    async lend(work) {
      keys.close();
      coming = null;
      show(false);
      try {
        return await work();
      } finally {
        show(true);
        keys = terminal.openKeys();
      }
    },
    close() {
      keys.close();
      show(false);
      for (const line of said) terminal.print(line);
    },
  };
}

// What a key does goes on below its own words.
function helpRows(help: readonly string[], columns: number): string[] {
  return help.flatMap((line) => {
    const [key = ''] = /^\S {3}/.exec(line) ?? [];
    const rows = wrap(line.slice(key.length), columns - key.length);
    return rows.map((row, index) => `${index === 0 ? key : ' '.repeat(key.length)}${row}`);
  });
}

// For terminals that can't move their cursor, for those that are read aloud, and for those who like it: a letter and
// Enter. What is asked next gets a line of its own.
function lineScreen(terminal: Terminal): Screen {
  const guard = keyGuard(() => performance.now());
  // What was typed before the choices were there does not count, and they come only once nothing more is typed.
  const settle = async (): Promise<void> => {
    guard.screenChanged();
    for (let wait = guard.readyIn(); wait > 0; wait = guard.readyIn()) {
      terminal.forget();
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (terminal.forget() > 0) guard.screenChanged();
    }
  };
  return {
    async choose(page) {
      const allowed = keysOf(page.keys);
      terminal.print(`\n${page.lines(terminal.columns).join('\n')}\n`);
      page.onEnd?.();
      await settle();
      for (;;) {
        const key = (await terminal.ask(`${page.keys}  `))?.trim() ?? 'q';
        guard.press(key);
        if (key === 'q' || (allowed.has(key) && key !== '?')) return key;
        terminal.print(helpRows(page.help, terminal.columns).join('\n'));
      }
    },
    line: (question, read) =>
      answered(terminal, read, async () => {
        const line = await terminal.ask(`${question} (Enter for none, < to go back): `);
        return line === null || line.trim() === '<' || line.includes('\u001b') ? null : line;
      }),
    say: (text) => terminal.print(text),
    lend(work) {
      terminal.release();
      return work();
    },
    close: terminal.release,
  };
}

function keysOf(foot: string): Set<string> {
  return new Set([...foot.matchAll(/\[(.)\]/gu)].map(([, key = '']) => key));
}

// In as many rows as it takes; a choice is never cut.
function footOf(foot: string, columns: number): string[] {
  const rows: string[] = [];
  for (const choice of foot.split(/\s{2,}/)) {
    const last = rows.at(-1);
    if (last !== undefined && widthOf(last) + 2 + widthOf(choice) <= columns)
      rows[rows.length - 1] = `${last}  ${choice}`;
    else rows.push(choice);
  }
  return rows;
}
