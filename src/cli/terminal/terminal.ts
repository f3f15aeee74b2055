import { isatty } from 'node:tty';
import { BearingsError, invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { openKeys, openLines } from './keys.ts';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green';

const CODES: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
};

const OWN_STYLE = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

// The last guard: whatever a command forgot to escape, nothing but our own styles moves or hides anything on a screen.
// Without colour no style is ours.
function forScreen(text: string, isColoured: boolean): string {
  const parts = isColoured ? text.split(OWN_STYLE) : [text];
  return parts.map((part, index) => (index % 2 === 1 ? part : showHidden(part, { keepLines: true }))).join('');
}

/** No word is cut at the edge of the screen. What has a style of its own was fitted before. */
function folded(text: string, columns: number): string {
  const fold = (line: string) =>
    line.length <= columns || line.includes('\u001b')
      ? line
      : line.replace(new RegExp(`(.{1,${columns}})(?: +|$)`, 'g'), '$1\n').trimEnd();
  return text.split('\n').map(fold).join('\n');
}

/** What a command may do to the person's screen. */
export type Terminal = ReturnType<typeof processTerminal>;

/** Where a command's words go: 1 is the output, 2 the error stream. */
export type Write = (fd: 1 | 2, text: string) => void;

interface TerminalOptions {
  variables: Readonly<Record<string, string | undefined>>;
  color: boolean;
  write: Write;
  /** False: the output is certainly no terminal. */
  isDevice(fd: 1): boolean;
  /** False: a program reads what it says. */
  progress: boolean;
}

// Node's streams are touched only by what needs them: setting them up costs every start some milliseconds.
export function processTerminal({ variables, color, write, isDevice, progress }: TerminalOptions) {
  // A pipe or a file is told by its number: asking node for the stream takes a millisecond.
  const isTerminal = () => isDevice(1) && process.stdout.isTTY === true;
  const isColoured = () => color && isTerminal() && !variables.NO_COLOR && variables.TERM !== 'dumb';
  let lines: ReturnType<typeof openLines> | null = null;
  const openedLines = () => {
    lines ??= openLines(process.stdin, process.stdout);
    return lines;
  };
  const release = (): void => {
    lines?.close();
    lines = null;
  };
  return {
    /** True when a person reads the output. */
    get interactive() {
      return isTerminal();
    },
    /** True when a line may be drawn that is gone again at the end: to a person, and not into a file. */
    get showsProgress() {
      return progress && isTerminal() && variables.TERM !== 'dumb' && process.stderr.isTTY === true;
    },
    /** True when a person can also answer. Node's stream is left unopened: an editor that is started later would make it wait for keys. */
    get canAsk() {
      return isTerminal() && isatty(0);
    },
    /** True when the screen can be redrawn as a whole. */
    get canDraw() {
      return isTerminal() && variables.TERM !== undefined && variables.TERM !== 'dumb';
    },
    get columns() {
      return Math.max(40, (isTerminal() && process.stdout.columns) || 80);
    },
    get rows() {
      return Math.max(8, (isTerminal() && process.stdout.rows) || 24);
    },
    paint: (style: Style, text: string): string =>
      isColoured() ? `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m` : text,
    /** One line of a result, on the screen. */
    fold: (text: string): string => (isTerminal() ? folded(text, process.stdout.columns || 80) : text),
    print: (text: string): void => write(1, `${isTerminal() ? forScreen(text, isColoured()) : text}\n`),
    /** Without a line end, and with whatever moves the cursor. */
    write: (text: string): void => write(1, text),
    openKeys() {
      release();
      return openKeys(process.stdin, process.stdout);
    },
    /** However the program ends, the person gets their screen back. */
    onExit(work: () => void): void {
      process.once('exit', work);
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(143));
    },
    warn: (text: string): void =>
      write(
        2,
        `${forScreen(process.stderr.isTTY ? folded(text, process.stderr.columns || 80) : text, isColoured())}\n`,
      ),
    /** Replaces the line drawn before; an empty text takes it away. */
    draw: (text: string): void => write(2, `\r\u001b[2K${text}`),
    /** All of standard input; with a limit, what came by then. */
    async readInput(limitMs?: number): Promise<string> {
      const chunks: Buffer[] = [];
      // After a pause of the whole program what lies ready is read first.
      const end = () => setImmediate(() => process.stdin.destroy());
      const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
      try {
        let size = 0;
        for await (const chunk of process.stdin) {
          chunks.push(Buffer.from(chunk));
          size += chunk.length;
          if (size > MAX_INPUT_BYTES) break;
        }
      } catch (error) {
        if (limitMs === undefined) throw error;
      } finally {
        clearTimeout(timer);
      }
      return Buffer.concat(chunks).toString('utf8');
    },
    inputHasEnded: (): boolean => process.stdin.readableEnded,
    /** One line from the person; null when the input ended, or they pressed Ctrl-C. */
    ask: (question: string): Promise<string | null> => openedLines().next(forScreen(question, isColoured())),
    /** Forgets what was typed before it could be meant; how many lines. */
    forget: (): number => openedLines().forget(),
    /** What is asked next is asked by another program. */
    release,
    /** The same as `ask` without showing what is typed. */
    async askSecret(question: string): Promise<string | null> {
      release();
      const { lineOfKeys } = await import('./line-of-keys.ts');
      // First of all: whoever answers the question at once must not see the answer on the screen.
      const keys = openKeys(process.stdin, process.stdout);
      process.stdout.write(question);
      const typed = await lineOfKeys(keys.next, () => {});
      keys.close();
      process.stdout.write('\n');
      return typed ?? null;
    },
  };
}

// A question stays open until its answer is one: else the next letters would be taken for keys that decide.
export async function answered<T>(
  terminal: Pick<Terminal, 'print' | 'paint'>,
  read: (typed: string) => T,
  ask: () => Promise<string | null>,
): Promise<T | null> {
  for (;;) {
    const typed = await ask();
    if (typed === null) return null;
    try {
      return read(typed);
    } catch (error) {
      if (!(error instanceof BearingsError)) throw error;
      terminal.print(terminal.paint('red', `${error.message} ${error.hint ?? ''}`.trim()));
    }
  }
}

/** One of a list by its number; null: none of them. */
export function pickedOf<T>(terminal: Terminal, items: readonly T[], question: string): Promise<T | null> {
  const read = (typed: string): T | null => {
    const number = typed.trim();
    const item = /^\d+$/.test(number) ? items[Number(number) - 1] : undefined;
    if (item === undefined && number !== '')
      throw invalidInput('There is no such number.', `Type one from 1 to ${items.length}.`);
    return item ?? null;
  };
  return answered(terminal, read, () => terminal.ask(question));
}

/** Without an answer: no. */
export async function saysYes(terminal: Terminal, question: string): Promise<boolean> {
  const read = (typed: string) => {
    if (!/^(?:y|yes|n|no|)$/i.test(typed.trim())) throw invalidInput('This is neither yes nor no.', 'Type y or n.');
    return /^y/i.test(typed.trim());
  };
  return (await answered(terminal, read, () => terminal.ask(`${question} [y/n] `))) ?? false;
}

// Far more than anything that is read there may be long; an endless one ends here.
const MAX_INPUT_BYTES = 16 * 1024 * 1024;
