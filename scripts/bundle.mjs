// npm run bundle [-- --out FILE]: the .mcpb bundle, which clients such as Claude Desktop install with a double click. It holds the built
// package and what it can't do without, and no native part: its lock is Node's own SQLite, so the client must bring Node 22.13 or newer.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { optionsOf } from './options.mjs';
import { bringFromNpm } from './testing/tools.mjs';

const MCPB = '@anthropic-ai/mcpb@2.1.2';
const NOT_HERE = 75;

const manifestOf = (about, { name, version, description, license, keywords }, tools) => ({
  manifest_version: '0.3',
  name,
  display_name: about.title,
  version,
  description: about.short,
  long_description: description,
  author: { name: about.author },
  license,
  keywords,
  server: {
    type: 'node',
    entry_point: 'dist/bin/main.cjs',
    mcp_config: { command: 'node', args: ['${__dirname}/dist/bin/main.cjs', 'mcp'], env: {} },
  },
  tools,
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=22.13.0' } },
});

const { values } = optionsOf(import.meta.url, { options: { out: { type: 'string' } } });
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const description = read('package.json');
const out = resolve(values.out ?? `${description.name}-${description.version}.mcpb`);

const folder = bringFromNpm('mcpb', [MCPB]);
if (!folder) {
  console.error(`${MCPB} can't be had: no network, or no npm.`);
  process.exit(NOT_HERE);
}
const stage = mkdtempSync(join(tmpdir(), 'bearings-bundle-'));
try {
  cpSync('dist', join(stage, 'dist'), { recursive: true });
  for (const name of neededPackages())
    cpSync(join('node_modules', name), join(stage, 'node_modules', name), { recursive: true });
  const { name, version, type, license, dependencies } = description;
  writeFileSync(join(stage, 'package.json'), JSON.stringify({ name, version, type, license, dependencies }, null, 2));
  cpSync('LICENSE', join(stage, 'LICENSE'));
  writeFileSync(
    join(stage, 'manifest.json'),
    JSON.stringify(manifestOf(read('clients/about.json'), description, await toolList()), null, 2),
  );
  const bin = join(folder, 'node_modules/.bin/mcpb');
  for (const args of [
    ['validate', join(stage, 'manifest.json')],
    ['pack', stage, out],
  ])
    if (spawnSync(bin, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0) process.exit(1);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** What package.json depends on, and what that depends on. */
function neededPackages(names = Object.keys(description.dependencies)) {
  return names.flatMap((name) => [
    name,
    ...neededPackages(Object.keys(read(join('node_modules', name, 'package.json')).dependencies ?? {})),
  ]);
}

/** Asked of the server itself, so that the manifest can't name a tool that is not there. */
async function toolList() {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new Client({ name: 'bundle', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('dist/bin/main.cjs'), 'mcp'],
      env: { ...process.env, BEARINGS_HOME: join(stage, 'no-home') },
    }),
  );
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name, title }) => ({ name, description: title ?? name }));
  } finally {
    await client.close();
  }
}
