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
  let queue: T[] = [];
  let waiting: ((item: T) => void) | null = null;
  return {
    push(item: T): void {
      const resolve = waiting;
      waiting = null;
      if (resolve) resolve(item);
      else queue.push(item);
    },
    next: () =>
      new Promise<T>((resolve) => {
        const [first, ...rest] = queue;
        if (first === undefined) waiting = resolve;
        else {
          queue = rest;
          resolve(first);
        }
      }),
    /** Forgets what is waiting but for what `stays`; how many. */
    forget(stays: (item: T) => boolean): number {
      const before = queue.length;
      queue = queue.filter(stays);
      return before - queue.length;
    },
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

/** Whole lines, as the terminal hands them over; null: the input ended, or the person pressed Ctrl-C. */
export function openLines(stdin: NodeJS.ReadStream, signals: NodeJS.Process) {
  const decoder = new TextDecoder();
  const { push, next, forget } = typed<string | null>();
  let open = '';
  const read = (chunk: Buffer): void => {
    const lines = (open + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    open = lines.pop() ?? '';
    lines.forEach(push);
  };
  const leave = () => push(null);
  stdin.on('data', read).on('end', leave).resume();
  signals.on('SIGINT', leave);
  return {
    next,
    /** Forgets what was typed before it could be meant; how many lines. */
    forget: () => forget((line) => line === null),
    close() {
      stdin.off('data', read).off('end', leave);
      signals.off('SIGINT', leave);
      stdin.pause();
    },
  };
}
