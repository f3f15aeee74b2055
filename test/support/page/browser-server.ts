import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserServer } from 'playwright-core';
import { findChromium } from '../../../scripts/testing/tools.mjs';

// Playwright's own list, which this one replaces, and the two panes of the address bar: each window would draw them unseen,
// which is most of what a page costs.
const SWITCHED_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Another site, as a browser sees it: a name of its own that leads to this machine. */
const NAMES = '--host-resolver-rules=MAP evil.test 127.0.0.1';

// One Chromium for all test files of a run, started when the first of them asks for it.
export async function serveBrowser(): Promise<{ address: string; close(): Promise<void> }> {
  let home: string | null = null;
  let browser: Promise<BrowserServer> | null = null;
  const launch = async (): Promise<BrowserServer> => {
    home = mkdtempSync(join(tmpdir(), 'bearings-browser-'));
    const { chromium } = await import('playwright-core');
    const executablePath = await findChromium();
    if (!executablePath) throw new Error('No Chromium is here: npm test brings one.');
    return chromium.launchServer({
      executablePath,
      args: ['--no-sandbox', NAMES, `--disable-features=${SWITCHED_OFF}`],
      env: homeOf(home),
    });
  };
  const server = createServer((_, answer) => {
    browser ??= launch();
    browser.then(
      (running) => answer.end(running.wsEndpoint()),
      (error) => answer.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      await (await browser?.catch(() => null))?.close();
      if (home) rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

// What a browser writes beside its profile stays in a folder of its own.
function homeOf(home: string): NodeJS.ProcessEnv {
  const places = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR'];
  return { ...process.env, ...Object.fromEntries(places.map((name) => [name, home])) };
}
