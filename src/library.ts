import { openRooms } from './bearings.ts';
import { BearingsError } from './errors.ts';
import { failingWith } from './known-keys.ts';
import { type Clients, clientsNamespace } from './namespaces/clients.ts';
import { type Gate, gateNamespace } from './namespaces/gate.ts';
import { type Loader, loaderNamespace } from './namespaces/loader.ts';
import { type Matching, matchingNamespace } from './namespaces/matching.ts';
import { type Memory, memoryNamespace } from './namespaces/memory.ts';
import { type SettingsInForce, settingsNamespace } from './namespaces/settings.ts';
import { type Tasks, tasksNamespace } from './namespaces/tasks.ts';
import type { BearingsOptions } from './settings/app-context.ts';

/** What a program may call, by subject. The code behind a namespace is loaded at its first call. */
export interface Bearings {
  /** What lasts: tastes, brief, notes, log and gaps, and the workspaces they lie in. */
  memory: Memory;
  /** Everything that can change memory: sessions, proposals, the person's decisions and their ledger. */
  gate: Gate;
  /** Bundles of a project's files, policies and receipts. */
  loader: Loader;
  /** Which files of a project belong to a task. */
  matching: Matching;
  /** Templates and their runs. */
  tasks: Tasks;
  /** The programs that agents run in: installing, importing, checking. */
  clients: Clients;
  /** The settings in force. */
  settings: SettingsInForce;
}

/** Opens the person's files. Nothing is read before the first call, and each call reads what is there at that moment. */
export function openBearings(options: BearingsOptions = {}): Bearings {
  const rooms = openRooms(options);
  const spaces = {
    memory: memoryNamespace(rooms),
    gate: gateNamespace(rooms.gate, rooms.sessions),
    loader: loaderNamespace(rooms),
    matching: matchingNamespace(rooms.matching),
    tasks: tasksNamespace(rooms.runs, rooms.sharedRuns),
    clients: clientsNamespace(rooms.clients),
    settings: settingsNamespace(rooms.settings),
  };
  const told = Object.entries(spaces).map(([space, methods]) => [
    space,
    failingWith(methods, (error, name) => ofUse(error, `${space}.${name}`)),
  ]);
  return Object.fromEntries(told) as unknown as Bearings;
}

// An object that is not what it seemed to be shows deep inside. What a callback of the caller throws is the caller's own.
function ofUse(error: unknown, method: string): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)) return error;
  return new BearingsError('invalid_input', `${method} can't use what it was given.`, {
    hint: 'The arguments of every method are in docs/library.md.',
    cause: error,
  });
}
