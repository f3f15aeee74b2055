import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import type { MemoryText } from '../clients/resources.ts';
import { BearingsError } from '../errors.ts';
import { INTERNAL } from './tool.ts';

const KINDS = {
  taste: { uri: 'bearings://tastes/{name}', title: 'Tastes', description: 'What the person always wants' },
  brief: { uri: 'bearings://workspaces/{id}/brief', title: 'brief', description: 'What this work is for' },
  notes: {
    uri: 'bearings://workspaces/{id}/notes',
    title: 'notes',
    description: 'What was learnt; long notes are shortened',
  },
} as const;
const MIME = 'text/markdown';
// A client of 2026 says what it listens to without our hearing of it: so we watch soon after the start in any case.
const WATCH_AFTER_MS = 500;

// The texts of memory to look at and to attach. Reading only; every change still goes through proposals.
export function registerResources(server: McpServer, bearings: Rooms, watches: boolean): void {
  const watch = watches ? watching(server, bearings) : () => undefined;
  for (const kind of ['taste', 'brief', 'notes'] as const) {
    const { uri: address, ...about } = KINDS[kind];
    const variable = kind === 'taste' ? 'name' : 'id';
    const of = (name: string): MemoryText => (kind === 'taste' ? { kind, name } : { kind, id: name });
    const names = async () => {
      const { tastes, workspaces } = await (await bearings.clients()).memoryNames();
      return kind === 'taste' ? tastes : workspaces;
    };
    const template = new ResourceTemplate(address, {
      list: async () => {
        watch();
        return { resources: (await names()).map((name) => entry(of(name))) };
      },
      complete: { [variable]: async (typed) => startingWith(await names(), typed) },
    });
    server.registerResource(kind, template, { ...about, mimeType: MIME }, async (uri, values) => {
      watch();
      try {
        const { text: served, warnings } = await (await bearings.clients()).memoryText(of(text(values[variable])));
        const told = warnings.map((warning) => ({ uri: `${uri.href}#warning`, mimeType: 'text/plain', text: warning }));
        return { contents: [{ uri: uri.href, mimeType: MIME, text: served }, ...told] };
      } catch (error) {
        const message = error instanceof BearingsError ? error.message : INTERNAL;
        throw new ResourceNotFoundError(uri.href, message);
      }
    });
  }
}

// Legacy clients name what they want to hear of; what a 2026 client listens to, the SDK sorts out by itself.
function watching(server: McpServer, bearings: Rooms): () => void {
  const wanted = new Set<string>();
  let unwatch: Promise<() => void> | null = null;
  const changed = (texts: readonly MemoryText[], listChanged: boolean): void => {
    if (!server.isConnected()) return;
    const isLegacy = server.server.getClientVersion() !== undefined;
    if (listChanged) server.sendResourceListChanged();
    for (const uri of texts.map(uriOf))
      if (!isLegacy || wanted.has(uri)) void server.server.sendResourceUpdated({ uri }).catch(() => undefined);
  };
  const begin = (): void => {
    unwatch ??= bearings
      .clients()
      .then(({ watchMemory }) => watchMemory(changed))
      .catch(() => () => undefined);
  };
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    wanted.add(params.uri);
    begin();
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    wanted.delete(params.uri);
    return {};
  });
  setTimeout(begin, WATCH_AFTER_MS).unref();
  // A server over HTTP outlives many clients: what watched for one of them ends with it, and nothing begins after.
  const { onclose } = server.server;
  server.server.onclose = () => {
    unwatch ??= Promise.resolve(() => undefined);
    void unwatch.then((end) => end());
    onclose?.();
  };
  return begin;
}

export function uriOf(of: MemoryText): string {
  return of.kind === 'taste'
    ? `bearings://tastes/${encodeURIComponent(of.name)}`
    : `bearings://workspaces/${encodeURIComponent(of.id)}/${of.kind}`;
}

function entry(of: MemoryText) {
  const name = of.kind === 'taste' ? `${of.name}.md` : `${of.kind} of ${of.id}`;
  return { uri: uriOf(of), name, mimeType: MIME };
}

function text(value: string | string[] | undefined): string {
  const written = Array.isArray(value) ? value.join('') : (value ?? '');
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const MOST = 100;

/** What a person may mean so far: names that begin with it, then names that hold it. */
export function startingWith(names: readonly string[], typed: string): string[] {
  const low = typed.toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(low));
  const holds = names.filter((name) => !begins.includes(name) && name.toLowerCase().includes(low));
  return [...begins, ...holds].slice(0, MOST);
}
