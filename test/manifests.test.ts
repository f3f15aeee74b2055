import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { manifests, outdated } from '../scripts/manifests.mjs';
import { bringFromNpm, bringNode24 } from '../scripts/testing/tools.mjs';
import { TOOLS } from '../src/mcp/server.ts';
import { bearings, environment } from './support/process/binary.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const files = manifests() as Record<string, string>;
const parsed = (path: string) => JSON.parse(files[path] ?? 'null') as Record<string, unknown>;
const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;

// For a user without a network these are left out and named; in CI they fail.
const checker = bringFromNpm('skills', ['skills-ref@0.1.5']);
const node24 = bringNode24();
const isCi = process.env.CI === 'true';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'bearings-manifests-'));
  folders.push(made);
  return made;
}

describe('one source for every client', () => {
  it('the files in the repository are what clients/ says', () => {
    expect(outdated()).toEqual([]);
  });

  it('L21 every manifest starts the program that the person installed, by its name, and nothing that a project could bring', () => {
    const started = { command: own.name, args: ['mcp'] };
    for (const path of ['mcp.json', '.mcp.json', 'gemini-extension.json'])
      expect(parsed(path).mcpServers, path).toMatchObject({ bearings: started });
    for (const [path, text] of Object.entries(files)) expect(text, path).not.toMatch(/npx|npm exec|node_modules/);
    for (const path of [
      'plugin.json',
      '.claude-plugin/plugin.json',
      '.codex-plugin/plugin.json',
      '.cursor-plugin/plugin.json',
    ])
      expect(parsed(path), path).toMatchObject({ name: own.name, version: own.version, license: own.license });
  });

  it('paths that a manifest names are in the repository', () => {
    const named = JSON.stringify(files).match(/\.\/[\w.-]+(?:\/[\w.-]+)*\/?/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) expect(() => readFileSync(join(ROOT, path)), path).not.toThrow(/ENOENT/);
  });

  it('the hook is silent and ends well where there is no workspace', () => {
    const { hooks } = parsed('hooks/hooks.json') as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    const [name, ...words] = hooks.SessionStart?.[0]?.hooks[0]?.command.split(' ') ?? [];
    expect(name).toBe(own.name);
    const place = folder();
    expect(bearings({ home: place, cwd: place }, ...words).code).toBe(0);
  });
});

describe('the skill', () => {
  const text = files['skills/bearings/SKILL.md'] ?? '';

  it('names no tool that is not there, and each tool that an agent starts, proposes and ends with', () => {
    const named = new Set([...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name));
    const tools = TOOLS.map(({ name }) => name);
    expect([...named].filter((name) => !tools.includes(name ?? ''))).toEqual([]);
    for (const name of ['read_context', 'load_context', 'propose_notes_update', 'confirm_notes_update', 'end_session'])
      expect(named).toContain(name);
  });

  // As in `load_context {task, for: "helper"}`, `read_context(image_id)`, `load_context` with `receipt: …`.
  it('M23 gives a tool only what it takes, and so do the clients’ texts and the docs', () => {
    const pages = ['skills', 'clients', 'docs']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
      )
      .filter((name) => name.endsWith('.md') && !name.startsWith(join('docs', 'reference')));
    const wrong: string[] = [];
    let checked = 0;
    for (const page of [...pages, 'README.md']) {
      const words = readFileSync(join(ROOT, page), 'utf8').replace(/\s+/g, ' ');
      for (const tool of TOOLS) {
        const known = [...Object.keys(tool.input.shape), 'workspace'];
        const takesText = Object.values(tool.input.shape).some(
          (field) => !z.safeParse(field as z.ZodType, undefined).success,
        );
        for (const [, list = '', inBackticks, prose] of words.matchAll(
          new RegExp(`\\b${tool.name}(?:(?:\\(|\\s?\\{)([^)}]*)[)}]|\`? with (?:\`(\\w+)[:\`]|(\\w+)))`, 'g'),
        )) {
          const names = inBackticks
            ? [inBackticks]
            : [...list.matchAll(/(?:^|,)\s*"?(\w+)/g)].map(([, name]) => name ?? '');
          checked += 1;
          for (const name of names) if (!known.includes(name)) wrong.push(`${page}: ${tool.name} has no ${name}`);
          if (prose && !takesText) wrong.push(`${page}: ${tool.name} needs nothing, but is given "${prose} …"`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(8);
  });

  it('fits on one page', () => {
    expect(text.split('\n').length).toBeLessThan(60);
  });

  it.runIf(checker !== null || isCi)('is valid by the checker of the format (needs skills-ref from npm)', () => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [join(checker ?? '', 'node_modules/.bin/skills-ref'), 'validate', join(ROOT, 'skills/bearings')],
      { encoding: 'utf8' },
    );
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  });
});

describe('the .mcpb bundle', () => {
  it.runIf(node24 !== null || isCi)(
    'is valid by its own tool, and what is unpacked serves and takes a proposal without a native part (needs Node 24 from npm)',
    async () => {
      const place = folder();
      const bundle = join(place, 'bearings.mcpb');
      const made = spawnSync(process.execPath, ['scripts/bundle.mjs', '--out', bundle], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(made.stdout + made.stderr).toContain('Manifest schema validation passes');
      expect(made.status).toBe(0);
      const tool = join(bringFromNpm('mcpb', ['@anthropic-ai/mcpb@2.1.2']) ?? '', 'node_modules/.bin/mcpb');
      const unpacked = join(place, 'unpacked');
      expect(spawnSync(process.execPath, [tool, 'unpack', bundle, unpacked]).status).toBe(0);
      const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')) as {
        tools: { name: string }[];
        server: { mcp_config: { command: string; args: string[] } };
      };
      const home = join(place, 'home');
      bearings({ home: place, variables: { BEARINGS_HOME: home } }, 'init', 'bundle');
      const { command, args } = manifest.server.mcp_config;
      expect(command).toBe('node');
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StdioClientTransport({
          command: node24 ?? '',
          args: [...args.map((word) => word.replace('${__dirname}', unpacked)), '--workspace', 'bundle'],
          env: environment({ home: place, variables: { BEARINGS_HOME: home } }),
          cwd: place,
        }),
      );
      try {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name));
        const proposed = await client.callTool({
          name: 'propose_notes_update',
          arguments: { content: 'A fact.', reason: 'seen', image_id: 'bundle' },
        });
        expect(proposed.isError, JSON.stringify(proposed.content)).not.toBe(true);
      } finally {
        await client.close();
      }
      expect(bearings({ home: place, variables: { BEARINGS_HOME: home } }, 'review', '--list').stdout).toContain(
        'A fact.',
      );
    },
  );
});
