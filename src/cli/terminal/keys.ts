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

// What was typed waits until it is asked for.
function typed<T>() {
  const queue: T[] = [];
  let waiting: ((item: T) => void) | null = null;
  return {
    push(item: T): void {
      const resolve = waiting;
      waiting = null;
      if (resolve) resolve(item);
      else queue.push(item);
    },
    next: async (): Promise<T> =>
      queue.length > 0 ? (queue.shift() as T) : new Promise((resolve) => (waiting = resolve)),
    isAwaited: () => waiting !== null,
    /** Forgets what is waiting; how many. */
    forget: (): number => queue.splice(0).length,
  };
}

/** Single keys, without Enter. Letters come as they are; others by name: `enter`, `down`, `ctrl-c`, `resize`, `end`. */
export function openKeys(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
  const decoder = new TextDecoder();
  const { push, next } = typed<string>();
  const read = (chunk: Buffer): void => {
    const text = decoder.decode(chunk, { stream: true });
    for (const key of text.match(/\u001b\[[0-9;]*[A-Za-z~]|\u001b|./gsu) ?? []) push(NAMED[key] ?? key);
  };
  const resized = () => push('resize');
  const ended = () => push('end');
  stdin.setRawMode(true);
  stdin.on('data', read).on('end', ended).resume();
  stdout.on('resize', resized);
  return {
    next,
    close() {
      stdin.off('data', read).off('end', ended);
      stdout.off('resize', resized);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

/** Whole lines, edited as in a shell; null: the input ended, or the person pressed Ctrl-C at the question. */
export function openLines(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
  const { push, next, isAwaited, forget } = typed<string | null>();
  const reader = process.getBuiltinModule('node:readline').createInterface({ input: stdin, output: stdout });
  let isOpen = true;
  reader.on('line', push);
  // Between two questions it is meant for the program, as ever.
  reader.on('SIGINT', () => (isAwaited() ? push(null) : process.exit(130)));
  reader.on('close', () => {
    if (isOpen) push(null);
    isOpen = false;
  });
  return {
    async next(question: string): Promise<string | null> {
      if (!isOpen) return null;
      reader.setPrompt(question);
      reader.prompt();
      const line = await next();
      if (line === null) stdout.write('\n');
      return line;
    },
    forget,
    close() {
      isOpen = false;
      reader.close();
    },
  };
}
