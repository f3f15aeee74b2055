interface Side {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
}

/** Two ends of one MCP connection in this process: what happens behind it can be looked at, and no program has to start. */
export function ownLine(): [Side, Side] {
  const side = (other: () => Side): Side => ({
    start: async () => undefined,
    send: async (message) => queueMicrotask(() => other().onmessage?.(structuredClone(message))),
    close: async () => undefined,
  });
  const ends: [Side, Side] = [side(() => ends[1]), side(() => ends[0])];
  return ends;
}
