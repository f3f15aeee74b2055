import { join } from '../files/paths.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { LoopbackServer } from './io/loopback-server.ts';
import { LISTENER_LIMITS, type ListenerLimits, type ListenerOptions, listenForMcp } from './io/mcp-listener.ts';
import { tokenFile } from './io/token-file.ts';

export type { BoundedResponse, ListenerLimits, ReadRequest, Refusal, RequestHead } from './io/mcp-listener.ts';

// What MCP over HTTP needs of the machine: a port on loopback, and the token that clients show.
export function mcpHttpUseCases(app: AppContext) {
  return {
    /** The token, and where it lies in the person's words. */
    async mcpToken(): Promise<{ token: string; shownPath: string }> {
      const path = join(app.home, 'mcp-token');
      return { token: tokenFile(path), shownPath: app.forPerson(path) };
    },

    async listenForMcp(
      options: Omit<ListenerOptions, 'limits'> & { limits?: Partial<ListenerLimits> },
    ): Promise<LoopbackServer> {
      return listenForMcp({ ...options, limits: { ...LISTENER_LIMITS, ...options.limits } });
    },
  };
}
