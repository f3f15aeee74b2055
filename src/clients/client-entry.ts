import { type ClientSpec, HOOK_PATH, isOwnHook } from './client-table.ts';
import { readClientFile } from './io/client-file.ts';
import type { EntryState, Slot } from './json-entry.ts';

/** The ways into one kind of file, so that JSON and TOML, entry and hook, are one path from here. */
export interface EntryTools {
  look(text: string): EntryState;
  put(text: string, value: Record<string, unknown>): string | null;
  take(text: string, broughtKeys: number): string | null;
  brings(text: string): number;
}

export async function toolsFor(client: ClientSpec, name: string): Promise<EntryTools> {
  if (client.format === 'json') return jsonTools({ path: client.servers, name, isOurs: () => false });
  const { entryInToml: lookInToml, putIntoToml, takeFromToml } = await import('./toml-entry.ts');
  const servers = client.servers[0] ?? '';
  return {
    look: (text) => lookInToml(text, servers, name),
    put: (text, value) => putIntoToml(text, servers, name, value),
    take: (text) => takeFromToml(text, servers, name),
    brings: () => 0,
  };
}

export function hookTools(): Promise<EntryTools> {
  return jsonTools({ path: HOOK_PATH, name: null, isOurs: isOwnHook });
}

async function jsonTools(slot: Slot): Promise<EntryTools> {
  const { entryInJson: lookInJson, missingKeys, putIntoJson, takeFromJson } = await import('./json-entry.ts');
  return {
    look: (text) => lookInJson(text, slot),
    put: (text, value) => putIntoJson(text, slot, value),
    take: (text, broughtKeys) => takeFromJson(text, slot, broughtKeys),
    brings: (text) => missingKeys(text, slot),
  };
}

export function entryState(path: string, label: string, tools: EntryTools): EntryState {
  const text = readClientFile(path, label);
  return text === null ? { status: 'absent' } : tools.look(text);
}

export function workspaceIn(args: unknown): string | null {
  if (!Array.isArray(args)) return null;
  const at = args.indexOf('--workspace');
  return at === -1 || typeof args[at + 1] !== 'string' ? null : args[at + 1];
}
