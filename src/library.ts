import { openBearings as open } from './bearings.ts';
import type { clientsNamespace } from './namespaces/clients.ts';
import type { gateNamespace } from './namespaces/gate.ts';
import type { loaderNamespace } from './namespaces/loader.ts';
import type { matchingNamespace } from './namespaces/matching.ts';
import type { memoryNamespace } from './namespaces/memory.ts';
import type { settingsNamespace } from './namespaces/settings.ts';
import type { tasksNamespace } from './namespaces/tasks.ts';
import type { BearingsOptions } from './settings/app-context.ts';

/** What a program may call, by subject. The code behind a namespace is loaded at its first call. */
export interface Bearings {
  /** What lasts: tastes, brief, notes, log and gaps, and the workspaces they lie in. */
  memory: ReturnType<typeof memoryNamespace>;
  /** Everything that can change memory: sessions, proposals, the person's decisions and their ledger. */
  gate: ReturnType<typeof gateNamespace>;
  /** Bundles of a project's files, policies and receipts. */
  loader: ReturnType<typeof loaderNamespace>;
  /** Which files of a project belong to a task. */
  matching: ReturnType<typeof matchingNamespace>;
  /** Templates and their runs. */
  tasks: ReturnType<typeof tasksNamespace>;
  /** The programs that agents run in: installing, importing, checking. */
  clients: ReturnType<typeof clientsNamespace>;
  /** The settings in force. */
  settings: ReturnType<typeof settingsNamespace>;
}

/** Opens the person's files. Nothing is read before the first call, and each call reads what is there at that moment. */
export function openBearings(options: BearingsOptions = {}): Bearings {
  return open(options);
}
