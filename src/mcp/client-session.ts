import type { Rooms } from '../bearings.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { type BundleShelf, bundleShelf } from './bundle-shelf.ts';
import { type CallTasks, callTasks } from './call-tasks.ts';

/** What lasts from call to call of one client: its session in each workspace, what it loaded, and its calls that go on. */
export interface ClientSession {
  sessions: Map<string, Session>;
  bundles: BundleShelf;
  tasks: CallTasks;
}

export function clientSession(): ClientSession {
  return { sessions: new Map(), bundles: bundleShelf(), tasks: callTasks() };
}

// The client said goodbye: what the person was shown and has not decided is discarded, in every workspace it was in.
export async function endClientSession(bearings: Rooms, clientSession: ClientSession): Promise<void> {
  const sessions = [...clientSession.sessions.values()];
  clientSession.sessions.clear();
  clientSession.tasks.stop();
  for (const session of sessions) {
    // A workspace that is gone by now keeps no other from its end.
    await (await bearings.gate()).endSession(session).catch(() => []);
    session.end('client_ended');
  }
}

// It went away without a word: its proposals wait for the person.
export function interruptClientSession(
  clientSession: ClientSession,
  reason: 'expired' | 'stopped' | 'interrupted',
): void {
  clientSession.tasks.stop();
  for (const session of clientSession.sessions.values()) session.end(reason);
  clientSession.sessions.clear();
}
