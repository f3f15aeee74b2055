import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

function registryAnswers(): boolean {
  try {
    execFileSync('npm', ['view', 'yaml', 'version'], { stdio: 'pipe', timeout: 30_000 });
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
      const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, stdio: 'pipe', encoding: 'utf8' });
      const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
      const paths = packed.files.map((file: { path: string }) => file.path);
      expect(paths).toContain('dist/bin/main.cjs');
      expect(paths.filter((path: string) => /^(?:src|test|bench|scripts|\.ci)\//.test(path))).toEqual([]);

      const app = join(folder, 'app');
      mkdirSync(app);
      writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }\n');
      npm(['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, packed.filename)], app);
      const bearings = join(app, 'node_modules/.bin/bearings');
      expect(execFileSync(bearings, ['--version'], { encoding: 'utf8' }).trim()).toMatch(/^\d+\.\d+\.\d+$/);
      expect(execFileSync(bearings, ['demo'], { encoding: 'utf8' })).toContain('manta_001');

      const script = "import { openBearings } from 'bearings'; console.log(typeof openBearings().readContext)";
      expect(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: app, encoding: 'utf8' }).trim(),
      ).toBe('function');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
