import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leftInside } from '../../scripts/testing/leftovers.mjs';
import { makeSandbox, sandboxed } from '../../scripts/testing/sandbox.mjs';
import { withTools } from '../../scripts/testing/tools.mjs';
import { serveBrowser } from './page/browser-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Before any worker starts: it inherits these variables.
export default async function setup(): Promise<() => Promise<void>> {
  build();
  // `npm test` has made a sandbox already, for all of its steps.
  const sandbox = process.env.BEARINGS_TEST_SANDBOX ? null : enterSandbox();
  const browser = await serveBrowser();
  process.env.BEARINGS_TEST_BROWSER = browser.address;
  return async () => {
    await browser.close();
    if (!sandbox) return;
    const left = leftInside(sandbox);
    sandbox.remove();
    if (left.length === 0) return;
    // An error that is thrown here is printed, and no more.
    console.error(`Tests leave nothing behind:\n${left.join('\n')}`);
    process.exitCode = 1;
  };
}

function enterSandbox() {
  const sandbox = makeSandbox();
  const env = withTools(sandboxed(sandbox));
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  return sandbox;
}

// The end-to-end tests run what people install: the built binary, built again when any source is newer.
function build(): void {
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
