import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import type { MemoryText } from '../clients/resources.ts';
import { BearingsError } from '../errors.ts';

const TASTE = 'bearings://tastes/{name}';
const WORKSPACE = { brief: 'bearings://workspaces/{id}/brief', notes: 'bearings://workspaces/{id}/notes' } as const;
const MIME = 'text/markdown';
// A client of 2026 says what it listens to without our hearing of it: so we watch soon after the start in any case.
const WATCH_AFTER_MS = 500;

// The texts of memory to look at and to attach. Reading only; every change still goes through proposals.
export function registerResources(server: McpServer, bearings: Rooms, watches: boolean): void {
  const watch = watches ? watching(server, bearings) : () => undefined;
  const taste = new ResourceTemplate(TASTE, {
    list: async () => {
      watch();
      return {
        resources: (await (await bearings.clients()).memoryNames()).tastes.map((name) =>
          entry({ kind: 'taste', name }),
        ),
      };
    },
    complete: { name: async (typed) => startingWith((await (await bearings.clients()).memoryNames()).tastes, typed) },
  });
  const about = { title: 'Tastes', description: 'What the person always wants', mimeType: MIME };
  server.registerResource('taste', taste, about, (uri, { name }) => read(uri, { kind: 'taste', name: text(name) }));
  for (const kind of ['brief', 'notes'] as const) {
    const template = new ResourceTemplate(WORKSPACE[kind], {
      list: async () => ({
        resources: (await (await bearings.clients()).memoryNames()).workspaces.map((id) => entry({ kind, id })),
      }),
      complete: {
        id: async (typed) => startingWith((await (await bearings.clients()).memoryNames()).workspaces, typed),
      },
    });
    const words = kind === 'brief' ? 'What this work is for' : 'What was learnt; long notes are shortened';
    server.registerResource(kind, template, { title: kind, description: words, mimeType: MIME }, (uri, { id }) =>
      read(uri, { kind, id: text(id) }),
    );
  }

  const read = async (uri: URL, of: MemoryText) => {
    watch();
    try {
      const { text: served, warnings } = await (await bearings.clients()).memoryText(of);
      const told = warnings.map((warning) => ({ uri: `${uri.href}#warning`, mimeType: 'text/plain', text: warning }));
      return { contents: [{ uri: uri.href, mimeType: MIME, text: served }, ...told] };
    } catch (error) {
      if (error instanceof BearingsError) throw new ResourceNotFoundError(uri.href, error.message);
      throw new ResourceNotFoundError(uri.href, 'Something went wrong inside bearings.');
    }
  };
}

// Legacy clients name what they want to hear of; what a 2026 client listens to, the SDK sorts out by itself.
function watching(server: McpServer, bearings: Rooms): () => void {
  const wanted = new Set<string>();
  let begun = false;
  let isOver = false;
  let stop = (): void => undefined;
  const isLegacy = () => server.server.getClientVersion() !== undefined;
  const begin = (): void => {
    if (begun || isOver) return;
    begun = true;
    void bearings
      .clients()
      .then(({ watchMemory }) =>
        watchMemory((changed, listChanged) => {
          if (!server.isConnected()) return;
          if (listChanged) server.sendResourceListChanged();
          for (const uri of changed.map(uriOf))
            if (!isLegacy() || wanted.has(uri)) void server.server.sendResourceUpdated({ uri }).catch(() => undefined);
        }),
      )
      .then((end) => {
        if (isOver) end();
        else stop = end;
      })
      .catch(() => undefined);
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
  // A server over HTTP outlives many clients: what watched for one of them ends with it.
  const { onclose } = server.server;
  server.server.onclose = () => {
    isOver = true;
    stop();
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
