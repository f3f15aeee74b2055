import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { npmEnv } from '../scripts/testing/tools.mjs';
import { filesBelow } from './support/mcp/asking-client.ts';
import { bearings, type Place } from './support/process/binary.ts';
import { tempFolder } from './support/temp-folder.ts';

const root = resolve(import.meta.dirname, '..');

const LIBRARY_USE = {
  script: "import { openBearings } from 'bearings'; console.log(typeof openBearings().memory.read)",
  gives: 'function',
  types: "import { type Bearings, openBearings } from 'bearings'; export const opened: Bearings = openBearings();",
};
const USES: Record<string, { script: string; gives: string; types: string }> = {
  './person': {
    script: "import { openPerson } from 'bearings/person'; console.log(typeof openPerson().decide)",
    gives: 'function',
    types:
      "import { openPerson, type Person } from 'bearings/person'; export const decide: Person['decide'] = openPerson().decide;",
  },
  './mcp': {
    script:
      "import { mcpServerFactory, serveMcp, TOOL_NAMES } from 'bearings/mcp'; console.log(TOOL_NAMES[0], typeof mcpServerFactory()().connect, typeof serveMcp)",
    gives: 'read_context function function',
    types:
      "import { type McpServer, mcpServerFactory, serveMcp } from 'bearings/mcp'; export const server: McpServer = mcpServerFactory({ workspace: 'manta' })(); export const { close } = serveMcp(); " +
      // The shape of the SDK's own transports.
      "declare const transport: { start(): Promise<void>; send(message: { jsonrpc: '2.0' }, options?: { relatedRequestId?: string | undefined }): Promise<void>; close(): Promise<void>; onclose?: (() => void) | undefined; onerror?: ((error: Error) => void) | undefined; onmessage?: ((message: { jsonrpc: '2.0' }, extra?: { authInfo?: object | undefined }) => void) | undefined; sessionId?: string | undefined }; serveMcp({}, transport);",
  },
  './memory-tool': {
    script:
      "import { openMemoryTool } from 'bearings/memory-tool'; console.log(typeof openMemoryTool({ home: 'none' }).execute)",
    gives: 'function',
    types:
      "import { type MemoryCommand, openMemoryTool } from 'bearings/memory-tool'; export const run: (command: MemoryCommand) => Promise<string> = openMemoryTool({ workspace: 'billing' }).execute;",
  },
};
const FILES = ['./schema/task.schema.json', './schema/task.xsd'];

const npm = (args: string[], cwd: string) =>
  execFileSync('npm', args, { cwd, env: npmEnv(), stdio: 'pipe', encoding: 'utf8' });

let archive: string | null = null;

function packedOnce(): string {
  if (archive !== null) return archive;
  const folder = tempFolder();
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  const paths = packed.files.map((file: { path: string }) => file.path);
  expect(paths).toContain('dist/bin/main.cjs');
  expect(paths.filter((path: string) => /^(?:src|test|bench|scripts|\.ci)\//.test(path))).toEqual([]);
  archive = join(folder, packed.filename);
  return archive;
}

// The packed package in an empty project, as a user gets it.
function installed(folder: string, options: readonly string[]): string {
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }\n');
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', ...options, packedOnce()], app);
  return app;
}

function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1_000_000;
}

function registryAnswers(): boolean {
  try {
    execFileSync('npm', ['view', 'yaml', 'version'], { env: npmEnv(), stdio: 'pipe', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

// In CI a missing registry is a failure; a user without a network is told what was left out.
const reachable = process.env.CI === 'true' || registryAnswers();

it.runIf(reachable)(
  'the packed package installs into an empty folder and its binary runs (needs the npm registry)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'bearings-pack-'));
    try {
      const app = installed(folder, []);
      expect(megabytes(join(app, 'node_modules'))).toBeLessThanOrEqual(60);
      const command = join(app, 'node_modules/.bin/bearings');
      expect(execFileSync(command, ['--version'], { encoding: 'utf8' }).trim()).toMatch(/^\d+\.\d+\.\d+$/);
      expect(execFileSync(command, ['demo'], { encoding: 'utf8' })).toContain('billing-client');

      const { scripts = {}, exports } = JSON.parse(
        readFileSync(join(app, 'node_modules/bearings/package.json'), 'utf8'),
      );
      expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
      expect(Object.keys(exports)).toEqual(['.', ...Object.keys(USES), ...FILES, './package.json']);

      // Each way in is used as its page says, at run time and by the compiler, however that resolves modules.
      for (const [name, { script, gives }] of Object.entries({ '.': LIBRARY_USE, ...USES }))
        expect(
          execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: app, encoding: 'utf8' }).trim(),
          name,
        ).toBe(gives);
      const pathOf = (name: string) =>
        execFileSync(process.execPath, ['-p', `require.resolve('bearings/${name}')`], { cwd: app, encoding: 'utf8' });
      for (const file of FILES) expect(readFileSync(pathOf(file.slice(2)).trim(), 'utf8'), file).toContain('task');
      writeFileSync(join(app, 'use.ts'), [LIBRARY_USE, ...Object.values(USES)].map(({ types }) => types).join('\n'));
      // Our types are checked too, and need none of a package: not even Node's. However modules are resolved by the native
      // compiler, which is several times as fast, and once by the other one.
      const compilers = { native: 'node_modules/typescript-native/bin/tsc', other: 'node_modules/typescript/bin/tsc' };
      for (const [compiler, moduleResolution, module] of [
        [compilers.native, 'node16', 'node16'],
        [compilers.native, 'nodenext', 'nodenext'],
        [compilers.native, 'bundler', 'esnext'],
        [compilers.other, 'nodenext', 'nodenext'],
      ] as const) {
        const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
        const compilerOptions = { ...strict, noEmit: true, target: 'es2022', types: [], module, moduleResolution };
        const project = { compilerOptions, files: ['use.ts'] };
        writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(project));
        const compiled = spawnSync(process.execPath, [join(root, compiler)], { cwd: app, encoding: 'utf8' });
        expect([compiler, compiled.status, compiled.stdout]).toEqual([compiler, 0, '']);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

it.runIf(reachable)(
  'M31 without the optional package on a Node without SQLite memory is read, and a write is refused with what to do (needs the npm registry)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'bearings-bare-'));
    try {
      const app = installed(folder, ['--omit=optional']);
      expect(megabytes(join(app, 'node_modules'))).toBeLessThanOrEqual(40);
      const whole = { home: join(folder, 'home'), cwd: join(folder, 'home') };
      const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
      const bare: Place = {
        ...whole,
        binary: join(app, 'node_modules/bearings/dist/bin/main.cjs'),
        variables: hasSqlite ? { NODE_OPTIONS: '--no-experimental-sqlite' } : {},
      };
      mkdirSync(whole.home);
      expect(bearings(whole, 'init', 'manta_001').code).toBe(0);
      const brief = join(whole.home, '.bearings/workspaces/manta_001/brief.md');
      writeFileSync(brief, 'Clean blue water.\n');

      // The brief was written by hand: that alone is told.
      const asked = (...words: string[]) => {
        const { code, stderr } = bearings(bare, ...words);
        return { code, stderr: stderr.replace(/^warning: 1 block unaccounted \(1 in brief\.md\)[^\n]*\n/, '') };
      };
      expect(asked('read', 'manta_001', '--json')).toEqual({ code: 0, stderr: '' });
      expect(bearings(bare, 'read', 'manta_001').stdout).toContain('Clean blue water.');
      for (const reading of [
        ['show', 'brief', 'manta_001'],
        ['workspaces'],
        ['verify'],
        ['review', '--list'],
        ['runs', 'list'],
      ])
        expect(asked(...reading), reading.join(' ')).toEqual({ code: 0, stderr: '' });

      const before = filesBelow(join(whole.home, '.bearings'));
      for (const writing of [
        ['init', 'other_001'],
        ['propose', 'notes', 'manta_001', '--content', 'The water is clean.'],
        ['edit', 'tastes', 'sea'],
        ['config', 'set', 'max_chars', '40000'],
        ['load', '--task', 'water', '--receipt', 'new_session', '--workspace', 'manta_001'],
      ]) {
        const refused = bearings(bare, ...writing);
        expect([writing, refused.code]).toEqual([writing, 1]);
        expect(refused.stderr).toContain('Nothing can be written: this Node has no SQLite');
        expect(refused.stderr).toContain('npm install libsql');
        expect(refused.stderr.trim().split('\n')).toHaveLength(2);
      }
      expect(filesBelow(join(whole.home, '.bearings'))).toEqual(before);
      expect(bearings(whole, 'workspaces').stdout).not.toContain('other_001');
      expect(bearings(bare, 'doctor').stdout).toContain('has no SQLite');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
