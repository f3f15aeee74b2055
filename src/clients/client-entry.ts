import { type ClientHooks, eventOf, type HookEvent, isHookKind, isOwnHook } from './client-hooks.ts';
import { CLIENT_MEMORIES, type ClientSpec, ENTRY_NAME } from './client-table.ts';
import { type InstalledKind, readClientFile } from './io/client-file.ts';
import { pluginTools } from './io/opencode-plugin.ts';
import type { EntryState, EntryTools, Slot } from './json-entry.ts';
import { blockTools } from './notes-block.ts';

/** The ways into the file of a client for one kind of entry, so that all kinds are one path from here. */
export async function toolsOf(client: ClientSpec, what: InstalledKind, home: string): Promise<EntryTools> {
  if (what === 'notes block') return blockTools;
  if (what === 'rules') return rulesTools(denyRules(home));
  if (what === 'guard') return jsonTools({ path: ['clients'], name: client.id });
  const memorySwitch = CLIENT_MEMORIES[client.id]?.switch ?? '';
  if (client.format === 'json' && what === 'memory switch') return jsonTools({ path: [], name: memorySwitch });
  if (isHookKind(what) && client.hooks) return hookTools(client.hooks, eventOf(what));
  if (client.format === 'json') return jsonTools({ path: client.servers, name: ENTRY_NAME });
  const { entryInToml, putIntoToml, switchInToml, takeFromToml } = await import('./toml-entry.ts');
  const [table = '', key = ''] = memorySwitch.split('.');
  if (what === 'memory switch') return switchInToml(table, key);
  const servers = client.servers[0] ?? '';
  return {
    look: (text) => entryInToml(text, servers, ENTRY_NAME),
    put: (text, value) => putIntoToml(text, servers, ENTRY_NAME, value as Record<string, unknown>),
    take: (text) => takeFromToml(text, servers, ENTRY_NAME),
    brings: () => 0,
  };
}

// The files that hold nothing but hooks say their version first.
async function hookTools({ names, entry }: ClientHooks, event: HookEvent): Promise<EntryTools> {
  if (entry === 'plugin') return pluginTools;
  const tools = await jsonTools({ path: ['hooks', names[event] ?? event], name: null, isOurs: isOwnHook });
  if (entry !== 'copilot' && entry !== 'cursor') return tools;
  return { ...tools, put: (text, value) => tools.put(text.trim() === '' ? '{\n  "version": 1\n}\n' : text, value) };
}

// In Claude Code's own words: what its shell may not run, and where its tools may not write.
export function denyRules(home: string): string[] {
  const commands = ['review', 'ui', 'config confirm'].flatMap((words) => [
    `Bash(bearings ${words}:*)`,
    `Bash(npx bearings ${words}:*)`,
  ]);
  return [...commands, `Edit(/${home}/**)`, 'Edit(.bearings/**)'];
}

/** Each rule is a member of one list; all of them together are ours. */
async function rulesTools(rules: readonly string[]): Promise<EntryTools> {
  const each = await Promise.all(
    rules.map((rule) => jsonTools({ path: ['permissions', 'deny'], name: null, isOurs: (value) => value === rule })),
  );
  return {
    look(text) {
      const states = each.map((tools) => tools.look(text));
      const broken = states.find(({ status }) => status === 'broken');
      if (broken) return broken;
      const value = states.flatMap((state) => (state.status === 'present' ? [state.value] : []));
      return value.length === 0 ? { status: 'absent' } : { status: 'present', value };
    },
    put: (text) =>
      each.reduce(
        (whole, tools, at) => (tools.look(whole).status === 'present' ? whole : (tools.put(whole, rules[at]) ?? whole)),
        text,
      ),
    take: (text, broughtKeys) =>
      each.reduce((whole, tools, at) => tools.take(whole, at === each.length - 1 ? broughtKeys : 0) ?? whole, text),
    brings: (text) => each[0]?.brings(text) ?? 0,
  };
}

async function jsonTools(slot: Slot): Promise<EntryTools> {
  const { entryInJson, missingKeys, putIntoJson, takeFromJson } = await import('./json-entry.ts');
  return {
    look: (text) => entryInJson(text, slot),
    put: (text, value) => putIntoJson(text, slot, value),
    take: (text, broughtKeys) => takeFromJson(text, slot, broughtKeys),
    brings: (text) => missingKeys(text, slot),
  };
}

export function entryState(path: string, label: string, tools: EntryTools): EntryState {
  const text = readClientFile(path, label, null);
  return text === null ? { status: 'absent' } : tools.look(text);
}

/** The whole of a client's file; null where it can't be understood, which the client can't either. */
export async function valueIn(client: ClientSpec, text: string): Promise<unknown> {
  try {
    if (client.format === 'toml') return (await import('smol-toml')).parse(text);
    return (await import('jsonc-parser')).parse(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true });
  } catch {
    return null;
  }
}

/** Whether some command line in it names this workspace, as words or in a line for a shell. */
export function startsFor(value: unknown, workspace: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const words = Object.values(value);
  const line = words.filter((word) => typeof word === 'string').join(' ');
  const said = line.replace(/["']/g, '').replaceAll('--workspace=', '--workspace ');
  return `${said} `.includes(`--workspace ${workspace} `) || words.some((word) => startsFor(word, workspace));
}

export function workspaceIn(args: readonly string[]): string | null {
  return /(?:^|\0)--workspace[=\0]([^\0]*)/.exec(args.join('\0'))?.[1] ?? null;
}
