import type { Command } from './command.ts';

interface Entry {
  summary: string;
  load(): Promise<{ command: Command }>;
}

// The order of this table is the order of `bearings --help --all`. Each command is loaded only when it is called.
export const COMMANDS: Readonly<Record<string, Entry>> = {
  init: { summary: 'make a workspace here or by name', load: () => import('./commands/init.ts') },
  read: { summary: 'what an agent gets on its first turn', load: () => import('./commands/read.ts') },
  show: { summary: 'print the brief, the notes or a taste', load: () => import('./commands/show.ts') },
  edit: { summary: 'open brief, notes or a taste in your editor', load: () => import('./commands/edit.ts') },
  propose: { summary: 'propose a note or a taste; you decide in review', load: () => import('./commands/propose.ts') },
  review: { summary: 'decide on what agents propose', load: () => import('./commands/review.ts') },
  search: { summary: 'find words in everything you keep', load: () => import('./commands/search.ts') },
  history: { summary: 'every decision on a file, with its difference', load: () => import('./commands/history.ts') },
  undo: { summary: 'take a decision back, or bring a file back', load: () => import('./commands/undo.ts') },
  erase: { summary: 'delete a text for good, with every copy', load: () => import('./commands/erase.ts') },
  why: { summary: 'which decision a line or a file comes from', load: () => import('./commands/why.ts') },
  sessions: { summary: 'what agents did, were given and missed', load: () => import('./commands/sessions.ts') },
  learn: { summary: 'what your agents already believe, as proposals', load: () => import('./commands/learn.ts') },
  export: { summary: 'memory in the form of another program', load: () => import('./commands/export.ts') },
  workspaces: { summary: 'list, rename, remove or share workspaces', load: () => import('./commands/workspaces.ts') },
  verify: { summary: 'check that every decision is yours; your key', load: () => import('./commands/verify.ts') },
  ui: { summary: 'your page: inbox, memory and sessions in the browser', load: () => import('./commands/ui.ts') },
  load: { summary: 'what an agent should see of a project for a task', load: () => import('./commands/load.ts') },
  explain: { summary: 'why a file is in a bundle, cut or left out', load: () => import('./commands/explain.ts') },
  match: { summary: 'which files belong to a task, best first', load: () => import('./commands/match.ts') },
  eval: { summary: 'how much of past changes bundles would have held', load: () => import('./commands/eval.ts') },
  drift: { summary: 'is a bundle still what the project would give?', load: () => import('./commands/drift.ts') },
  policy: { summary: 'what the loader selects, which adapters may run', load: () => import('./commands/policy.ts') },
  check: { summary: 'check a task template, or try your rules', load: () => import('./commands/check.ts') },
  run: { summary: 'run a task template', load: () => import('./commands/run.ts') },
  runs: { summary: 'list runs, see what each step saw, resume one', load: () => import('./commands/runs.ts') },
  install: { summary: 'set up the clients of this machine', load: () => import('./commands/install.ts') },
  mcp: { summary: 'serve an agent over MCP (stdio, or HTTP on this machine)', load: () => import('./commands/mcp.ts') },
  hook: { summary: 'answer a hook of a client (install writes it)', load: () => import('./commands/hook.ts') },
  config: { summary: 'show, set and check the settings', load: () => import('./commands/config.ts') },
  doctor: { summary: 'what is set up, what is broken, how to fix it', load: () => import('./commands/doctor.ts') },
  demo: { summary: 'a short story with a sample workspace', load: () => import('./commands/demo.ts') },
};
