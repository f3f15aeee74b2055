import { type ClientSession, clientSession } from './client-session.ts';
import type { SessionLimits } from './http-sessions.ts';

// Clients of 2026-07-28: each request is complete in itself and says whose it is. Who says the same at the same address is
// the same client.
export function clientSessions(options: {
  limits: SessionLimits;
  interrupted(session: ClientSession, reason: 'expired' | 'stopped'): void;
  now(): number;
}) {
  const { limits, now } = options;
  const known = new Map<string, { session: ClientSession; lastUsed: number }>();
  const interrupt = (key: string, reason: 'expired' | 'stopped'): void => {
    const found = known.get(key);
    known.delete(key);
    if (found) options.interrupted(found.session, reason);
  };
  return {
    of(key: string): ClientSession {
      const { session } = known.get(key) ?? { session: clientSession() };
      // Put last again: the first in line is the one unused for the longest.
      known.delete(key);
      known.set(key, { session, lastUsed: now() });
      const [first] = known.keys();
      if (known.size > limits.sessions && first !== undefined) interrupt(first, 'expired');
      return session;
    },
    expire(): void {
      const before = now() - limits.idleMs;
      for (const [key, { lastUsed }] of [...known]) if (lastUsed < before) interrupt(key, 'expired');
    },
    stop(): void {
      for (const key of [...known.keys()]) interrupt(key, 'stopped');
    },
  };
}
