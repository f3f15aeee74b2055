/** Single keys, without Enter. Letters come as they are; others by name: `enter`, `down`, `ctrl-c`, `resize`, `end`. */
export interface Keys {
  next(): Promise<string>;
  close(): void;
}

const NAMED: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u0003': 'ctrl-c',
  '\u0004': 'end',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001b[5~': 'pageup',
  '\u001b[6~': 'pagedown',
  '\u001b': 'escape',
};

export function openKeys(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): Keys {
  const decoder = new TextDecoder();
  const queue: string[] = [];
  let waiting: ((key: string) => void) | null = null;
  const push = (key: string): void => {
    if (waiting) {
      const resolve = waiting;
      waiting = null;
      resolve(key);
    } else if (key !== 'resize' || queue.at(-1) !== 'resize') queue.push(key);
  };
  const read = (chunk: Buffer): void => {
    for (const key of keysIn(decoder.decode(chunk, { stream: true }))) push(key);
  };
  const resized = () => push('resize');
  const ended = () => push('end');
  stdin.setRawMode(true);
  stdin.on('data', read);
  stdin.on('end', ended);
  stdout.on('resize', resized);
  stdin.resume();
  return {
    next: () => {
      const key = queue.shift();
      return key === undefined ? new Promise((resolve) => (waiting = resolve)) : Promise.resolve(key);
    },
    close() {
      stdin.off('data', read);
      stdin.off('end', ended);
      stdout.off('resize', resized);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

function keysIn(text: string): string[] {
  return (text.match(/\u001b\[[0-9;]*[A-Za-z~]|\u001b|./gsu) ?? []).map((key) => NAMED[key] ?? key);
}
