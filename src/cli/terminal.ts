import { createInterface } from 'node:readline';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green';

const CODES: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
};

/** What a command may do to the person's screen. */
export interface Terminal {
  /** True when a person reads the output. */
  interactive: boolean;
  /** True when a person can also answer. */
  canAsk: boolean;
  columns: number;
  paint(style: Style, text: string): string;
  print(text: string): void;
  warn(text: string): void;
  /** Replaces the line drawn before; an empty text takes it away. */
  draw(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** One line from the person; null when the input ended. */
  ask(question: string): Promise<string | null>;
  /** The same without showing what is typed. */
  askSecret(question: string): Promise<string | null>;
}

export function processTerminal(variables: Readonly<Record<string, string | undefined>>, color: boolean): Terminal {
  const { stdin, stdout, stderr } = process;
  const coloured = color && stdout.isTTY === true && !variables.NO_COLOR && variables.TERM !== 'dumb';
  // A reader that closes early (`| head`) is no error.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  return {
    interactive: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && stdout.isTTY === true,
    columns: Math.max(40, stdout.columns || 80),
    paint: (style, text) => (coloured ? `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m` : text),
    print: (text) => void stdout.write(`${text}\n`),
    warn: (text) => void stderr.write(`${text}\n`),
    draw: (text) => void stderr.write(`\r\u001b[2K${text}`),
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    ask: (question) =>
      new Promise((resolve) => {
        const reader = createInterface({ input: stdin, output: stdout });
        let answered = false;
        reader.question(question, (answer) => {
          answered = true;
          resolve(answer);
          reader.close();
        });
        reader.on('close', () => {
          if (!answered) resolve(null);
        });
      }),
    askSecret: (question) => readHidden(stdin, stdout, question),
  };
}

const ENTER = /[\r\n]/;
const STOP = /[\u0003\u0004]/;
const BACKSPACE = /[\u007f\b]/;

function readHidden(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream, question: string): Promise<string | null> {
  stdout.write(question);
  stdin.setRawMode(true);
  stdin.resume();
  return new Promise((resolve) => {
    let typed = '';
    const end = (answer: string | null): void => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write('\n');
      resolve(answer);
    };
    const read = (chunk: Buffer): void => {
      for (const char of chunk.toString('utf8')) {
        if (STOP.test(char) || ENTER.test(char)) {
          end(STOP.test(char) ? null : typed);
          return;
        }
        typed = BACKSPACE.test(char) ? [...typed].slice(0, -1).join('') : typed + char;
      }
    };
    stdin.on('data', read);
  });
}
