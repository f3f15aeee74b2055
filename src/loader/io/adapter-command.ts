import type { Variables } from '../../files/run-program.ts';
import { programVariables, startProgram } from '../../files/run-program.ts';
import { codeOf } from '../../files/system-error.ts';
import type { CommandAdapter } from '../policy/adapter-definitions.ts';
import { type Payload, parsePayloadBytes } from './adapter-payload.ts';

export interface AdapterFolder {
  /** The project's folder: programs run there. */
  root: string;
  variables: Variables;
  /** Of Bearings, for servers that ask who calls. */
  version: string;
}

// A program that prints JSON and ends. Nothing of what it does can stop a bundle.
export function commandPayload(config: CommandAdapter, { root, variables }: AdapterFolder): Promise<Payload> {
  return new Promise((resolve) => {
    const { child, endAll, stop } = startProgram({
      command: config.command,
      cwd: root,
      variables: programVariables(config.env ?? [], variables, root),
      input: 'closed',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let code: number | null | undefined;
    const end = (payload: Payload): void => {
      clearTimeout(timer);
      stop();
      resolve(payload);
    };
    const timer = setTimeout(() => end({ status: 'bad', reason: tooSlow(config.timeout_ms) }), config.timeout_ms);
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > config.max_bytes) end({ status: 'bad', reason: tooLarge(config.max_bytes) });
      else chunks.push(chunk);
    });
    child.on('error', (error) => end({ status: 'bad', reason: cantStart(error) }));
    child.on('exit', (status) => {
      code = status;
      // What it left running may hold its output open for ever.
      endAll();
    });
    child.on('close', () => {
      if (code !== 0) end({ status: 'bad', reason: endedBadly(code ?? null) });
      else end(parsePayloadBytes(Buffer.concat(chunks)));
    });
  });
}

export function tooSlow(limit: number): string {
  return `it did not answer within ${limit} ms`;
}

export function tooLarge(limit: number): string {
  return `it returned more than ${limit} bytes`;
}

export function cantStart(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'its program is not there' : "its program can't be started";
}

function endedBadly(code: number | null): string {
  return code === null ? 'its program was ended by a signal' : `its program ended with code ${code}`;
}
