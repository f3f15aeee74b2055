// The peers, installed on demand into a cache folder of their own; never part of the package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGES = {
  '@modelcontextprotocol/server-memory': '2026.8.31',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  repomix: '1.14.0',
  minisearch: '7.2.0',
  '@orama/orama': '3.1.18',
  '@mastra/core': '0.24.9',
  '@langchain/langgraph': '1.4.17',
  '@langchain/core': '*',
  zod: '*',
};

// BENCH_PEERS=DIR names the folder; by default it lies in the user's cache.
export function preparePeers() {
  const named = process.env.BENCH_PEERS;
  const folder =
    named && named !== '1' ? named : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bearings-bench');
  const missing = Object.keys(PACKAGES).filter(
    (name) => !existsSync(join(folder, 'node_modules', name, 'package.json')),
  );
  if (missing.length > 0) {
    console.log(`installing ${missing.length} peers into a cache folder`);
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, 'package.json')))
      writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const wanted = missing.map((name) => `${name}@${PACKAGES[name]}`);
    const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) {
      const said = (stderr ?? '')
        .split('\n')
        .filter((line) => line.startsWith('npm error') && !line.includes('log of'));
      console.error(`The peers could not be installed: ${said.slice(0, 2).join('; ') || 'npm did not start'}`);
      process.exit(1);
    }
  }
  const manifest = (name) => join(folder, 'node_modules', name, 'package.json');
  return {
    folder,
    version: (name) => `${name} ${JSON.parse(readFileSync(manifest(name), 'utf8')).version}`,
    bin(name) {
      const { bin } = JSON.parse(readFileSync(manifest(name), 'utf8'));
      return join(dirname(manifest(name)), typeof bin === 'string' ? bin : Object.values(bin)[0]);
    },
    load: (name) => import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href),
  };
}
