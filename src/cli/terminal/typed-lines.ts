/** Whole lines, as the terminal hands them over: it echoes them and lets the person correct them before Enter. */
export interface TypedLines {
  /** Null: the input ended, or the person pressed Ctrl-C. */
  next(): Promise<string | null>;
  /** Forgets what was typed before it could be meant; how many lines. */
  forget(): number;
  close(): void;
}

export function openLines(stdin: NodeJS.ReadStream, signals: NodeJS.Process): TypedLines {
  const decoder = new TextDecoder();
  let open = '';
  let queue: (string | null)[] = [];
  let waiting: ((line: string | null) => void) | null = null;
  const push = (line: string | null): void => {
    if (!waiting) queue.push(line);
    else {
      const resolve = waiting;
      waiting = null;
      resolve(line);
    }
  };
  const read = (chunk: Buffer): void => {
    const lines = (open + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    open = lines.pop() ?? '';
    for (const line of lines) push(line);
  };
  const leave = () => push(null);
  stdin.on('data', read);
  stdin.on('end', leave);
  signals.on('SIGINT', leave);
  stdin.resume();
  return {
    next: () => {
      const line = queue.shift();
      return line === undefined ? new Promise((resolve) => (waiting = resolve)) : Promise.resolve(line);
    },
    forget() {
      const before = queue.length;
      queue = queue.filter((line) => line === null);
      return before - queue.length;
    },
    close() {
      stdin.off('data', read);
      stdin.off('end', leave);
      signals.off('SIGINT', leave);
      stdin.pause();
    },
  };
}
