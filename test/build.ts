import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// The end-to-end tests run what people install: the built binary, made anew when any source is newer.
export default function build(): void {
  const built = statSync(join(root, 'dist/bin/main.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|css)$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => join(root, 'src', name));
  const inputs = [...sources, join(root, 'package.json'), join(root, 'tsdown.config.ts')];
  if (inputs.every((path) => statSync(path).mtimeMs < built)) return;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/tsdown/dist/run.mjs')], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The build failed.\n${stdout}${stderr}`);
}
