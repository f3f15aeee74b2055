import type { Command } from './command.ts';

interface Entry {
  summary: string;
  load(): Promise<{ command: Command }>;
}

// The order of this table is the order of `bearings --help`. Each command is loaded only when it is called.
export const COMMANDS: Readonly<Record<string, Entry>> = {
  init: { summary: 'make a workspace here or by name', load: () => import('./commands/init.ts') },
  read: { summary: 'what an agent gets on its first turn', load: () => import('./commands/read.ts') },
  brief: { summary: 'print the brief', load: () => import('./commands/brief.ts') },
  notes: { summary: 'print the notes, whole or in part', load: () => import('./commands/notes.ts') },
  tastes: { summary: 'list, show or make tastes', load: () => import('./commands/tastes.ts') },
  edit: { summary: 'open brief, notes or a taste in your editor', load: () => import('./commands/edit.ts') },
  propose: { summary: 'propose a note or a taste; you decide in review', load: () => import('./commands/propose.ts') },
  review: { summary: 'decide on what agents propose', load: () => import('./commands/review.ts') },
  proposals: { summary: 'list, show or revive proposals', load: () => import('./commands/proposals.ts') },
  blame: { summary: 'which decision stands behind each block', load: () => import('./commands/blame.ts') },
  history: { summary: 'every decision on a file, with its difference', load: () => import('./commands/history.ts') },
  undo: { summary: 'take a decision back', load: () => import('./commands/undo.ts') },
  restore: { summary: 'bring a file back to what was decided', load: () => import('./commands/restore.ts') },
  erase: { summary: 'delete a text for good, with every copy', load: () => import('./commands/erase.ts') },
  sessions: {
    summary: 'what agents did: list, show, search, replay, end',
    load: () => import('./commands/sessions.ts'),
  },
  replay: {
    summary: 'make again what a session was served, and compare',
    load: () => import('./commands/replay.ts'),
  },
  search: { summary: 'find words in everything you keep', load: () => import('./commands/search.ts') },
  why: { summary: 'where a line an agent was given comes from', load: () => import('./commands/why.ts') },
  gaps: { summary: 'what agents missed: rank, show, propose, clear', load: () => import('./commands/gaps.ts') },
  key: {
    summary: 'the key that signs your decisions, and what to do if it is lost',
    load: () => import('./commands/key.ts'),
  },
  verify: { summary: 'check that every decision is yours', load: () => import('./commands/verify.ts') },
  import: { summary: 'make proposals of what you have already', load: () => import('./commands/import.ts') },
  export: { summary: 'memory in the form of another program', load: () => import('./commands/export.ts') },
  workspaces: { summary: 'list, rename, remove or share workspaces', load: () => import('./commands/workspaces.ts') },
  load: { summary: 'what an agent should see of a project for a task', load: () => import('./commands/load.ts') },
  explain: { summary: 'why a file is in a bundle, cut or left out', load: () => import('./commands/explain.ts') },
  diff: { summary: 'what moved between two bundles', load: () => import('./commands/diff.ts') },
  drift: { summary: 'is a bundle still what the project would give?', load: () => import('./commands/drift.ts') },
  eval: {
    summary: 'how much of your past changes bundles would have contained',
    load: () => import('./commands/eval.ts'),
  },
  receipt: { summary: 'is the context an agent started from still true?', load: () => import('./commands/receipt.ts') },
  policy: {
    summary: 'what the loader may select, and which adapters may run',
    load: () => import('./commands/policy.ts'),
  },
  config: { summary: 'show, set and check the settings', load: () => import('./commands/config.ts') },
  match: { summary: 'which files belong to a task, best first', load: () => import('./commands/match.ts') },
  index: { summary: 'state of the index for match, or rebuild it', load: () => import('./commands/index.ts') },
  check: { summary: 'check a task template', load: () => import('./commands/check.ts') },
  run: { summary: 'run a task template', load: () => import('./commands/run.ts') },
  runs: { summary: 'list runs, see what each step saw, resume one', load: () => import('./commands/runs.ts') },
  worker: { summary: 'work on runs of a shared database', load: () => import('./commands/worker.ts') },
  install: { summary: 'set up a client: Claude Code, Cursor, VS Code …', load: () => import('./commands/install.ts') },
  hook: { summary: 'answer a hook of a client (install writes it)', load: () => import('./commands/hook.ts') },
  mcp: { summary: 'serve an agent over MCP (stdio, or HTTP on this machine)', load: () => import('./commands/mcp.ts') },
  ui: { summary: 'your page: inbox, memory and sessions in the browser', load: () => import('./commands/ui.ts') },
  doctor: { summary: 'what is set up, what is broken, how to fix it', load: () => import('./commands/doctor.ts') },
  completion: { summary: 'completion for your shell', load: () => import('./commands/completion.ts') },
  demo: { summary: 'a short story with a sample workspace', load: () => import('./commands/demo.ts') },
};
