import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Session } from '../gate/sessions/sessions.ts';

/** A bundle that `load_context` gave a client, whole. */
interface ShelvedBundle {
  uri: string;
  name: string;
  text: string;
  session: Session | null;
}

export type BundleShelf = ReturnType<typeof bundleShelf>;

const MAX_BUNDLES = 8;
const MAX_CHARS = 4_000_000;
const URI = 'bearings://bundle/';

export function bundleShelf() {
  let bundles: ShelvedBundle[] = [];
  return {
    keep(bundle: { task_key: string; bundle_sha256: string }, session: Session | null): string {
      const uri = `${URI}${bundle.bundle_sha256}`;
      const text = JSON.stringify(bundle);
      const others = bundles.filter((other) => other.uri !== uri);
      bundles = [...others, { uri, name: bundle.task_key, text, session }].slice(-MAX_BUNDLES);
      while (bundles.length > 1 && bundles.reduce((sum, each) => sum + each.text.length, 0) > MAX_CHARS)
        bundles.shift();
      return uri;
    },
    list: (): readonly ShelvedBundle[] => bundles,
  };
}

// Its own bundles and nobody else's: a client can name only what it loaded.
export function registerBundles(server: McpServer, shelfOf: (context: ServerContext) => BundleShelf): void {
  const template = new ResourceTemplate(`${URI}{sha256}`, {
    list: (context) => ({
      resources: shelfOf(context)
        .list()
        .map(({ uri, name }) => ({ uri, name, mimeType: 'application/json' })),
    }),
  });
  const about = {
    title: 'Bundle',
    description: 'A bundle that load_context gave in this session, whole: budget, reasons, what was left out.',
    mimeType: 'application/json',
  };
  server.registerResource('bundle', template, about, async (uri, _, context) => {
    const found = shelfOf(context)
      .list()
      .find((each) => each.uri === uri.href);
    if (!found) throw new ResourceNotFoundError(uri.href);
    found.session?.served(found.text);
    return { contents: [{ uri: found.uri, mimeType: 'application/json', text: found.text }] };
  });
}
