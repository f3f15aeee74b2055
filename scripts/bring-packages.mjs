// Packages that only some tests need, brought into a cache folder at their first use. Started by itself it says where Node 24 is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = '24.21.0';
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bearings-tests');

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(bringNode() ?? '');

/** The program Node 24; null where it can't be had. */
export function bringNode() {
  const folder = bringPackages('node', [`node@${NODE}`], ['node/bin/node']);
  return folder && join(folder, 'node/bin/node');
}

/** The folder that holds the packages, `paths` among their files; null where they can't be had. */
export function bringPackages(name, packages, paths) {
  const folder = join(CACHE, [name, ...packages].join('_').replace(/[^\w.-]+/g, '-'));
  const inside = join(folder, 'node_modules');
  const isWhole = () => paths.every((path) => existsSync(join(inside, path)));
  if (isWhole()) return inside;
  console.error(`== bringing ${packages.join(', ')}`);
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', draft, '--no-audit', '--no-fund', '--loglevel', 'error', ...packages],
    { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 },
  );
  // Another process may have brought them meanwhile, and use them by now.
  if (status === 0 && !isWhole()) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  }
  rmSync(draft, { recursive: true, force: true });
  return isWhole() ? inside : null;
}
