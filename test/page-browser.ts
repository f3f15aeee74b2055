import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { TOOLS_BIN } from '../scripts/testing/tools.mjs';
import type { RunningUi } from './page-server.ts';
import { tempFolder } from './temp-folder.ts';

/** scripts/test.mjs says where it is where it is not Debian's. */
const BROUGHT = join(TOOLS_BIN, 'chromium');
const CHROMIUM = process.env.BEARINGS_TEST_CHROMIUM ?? (existsSync(BROUGHT) ? BROUGHT : '/usr/bin/chromium');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
// Kept as test output; git does not see it.
const PICTURES = resolve(import.meta.dirname, '../test-output/page');

export interface Visit {
  page: Page;
  /** Requests to anywhere but this page's own server. */
  foreign: string[];
  /** What the browser complained about: broken rules of the page's own policy show here. */
  complaints: string[];
}

// What a browser writes beside its profile stays in a folder of this test.
export function launchBrowser(args: string[] = []): Promise<Browser> {
  const home = tempFolder();
  const places = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'];
  const env = { ...process.env, ...Object.fromEntries(places.map((name) => [name, home])) };
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args], env });
}

export function realBrowser() {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  const open = (): Browser => {
    if (!browser) throw new Error('The browser is not open.');
    return browser;
  };
  return {
    get browser() {
      return open();
    },
    /** A browser of its own that was let in with the code. */
    async enter(ui: RunningUi, options: BrowserContextOptions & { path?: string } = {}): Promise<Visit> {
      const { path = '', ...rest } = options;
      const context = await open().newContext({ viewport: { width: 1280, height: 800 }, ...rest });
      const foreign: string[] = [];
      const complaints: string[] = [];
      context.on('request', (request) => {
        if (!request.url().startsWith(ui.address)) foreign.push(request.url());
      });
      const page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${ui.address}${path}#${ui.code()}`);
      await page.waitForSelector('.shell');
      return { page, foreign, complaints };
    },
  };
}

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Serious and critical findings of axe. */
export async function findings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(async (source) => {
    // The page's own policy forbids eval, so the checker is brought in by the browser's debugger.
    // biome-ignore lint/suspicious/noExplicitAny: a global of the checker
    const { axe } = globalThis as any;
    if (!axe) throw new Error(`axe is missing: ${source}`);
    return axe.run();
  }, AXE);
  return (violations as { impact: string; id: string; nodes: { html: string }[] }[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Brought in by the browser, before the page: the page's own policy lets no other script in. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ path: AXE });
}

export async function expectFits(page: Page): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(wide).toBe(0);
}
