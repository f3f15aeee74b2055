import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { isLong } from '../effort.ts';
import type { RunningUi } from './page-server.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
// Kept as test output; git does not see it.
const PICTURES = resolve(import.meta.dirname, '../../../test-output/page');

// Only what never comes waits so long: on a busy machine a page may take many seconds.
const PATIENCE_MS = 120_000;

export interface Visit {
  page: Page;
  /** Requests to anywhere but this page's own server. */
  foreign: string[];
  /** What the browser complained about: broken rules of the page's own policy show here. */
  complaints: string[];
}

/** The one Chromium of the run; pages that a test opened are closed when it is done. */
export function realBrowser() {
  let browser: Browser | null = null;
  beforeAll(async () => {
    const answer = await fetch(process.env.BEARINGS_TEST_BROWSER ?? '');
    if (!answer.ok) throw new Error(`The browser does not start: ${await answer.text()}`);
    browser = await chromium.connect(await answer.text());
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  // Ends the connection: the browser itself goes on for the next file.
  afterAll(async () => {
    await browser?.close();
  });
  const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    if (!browser) throw new Error('The browser is not open.');
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return {
    /** A browser that nobody let in. */
    newContext,
    /** A browser of its own that was let in with the code. */
    async enter(ui: RunningUi, options: BrowserContextOptions & { path?: string } = {}): Promise<Visit> {
      const { path = '', ...rest } = options;
      const context = await newContext(rest);
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

/** A key, once it counts: as long as it does not, what it works on says so. */
export async function press(page: Page, key: string): Promise<void> {
  await page.locator('.shell:not(:has([aria-busy="true"]))').waitFor();
  await page.keyboard.press(key);
}

/** The list behind one key: all that is not a proposal. */
export async function everythingElse(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /everything else/i })
    .first()
    .waitFor();
  await press(page, 'v');
}

/** Only with BEARINGS_TEST_PICTURES=1: for a person who wants to look at the page. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.BEARINGS_TEST_PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Serious and critical findings of axe: by all of its rules, or by those that are named. */
export async function findings(page: Page | Frame, rules: readonly string[] = []): Promise<string[]> {
  const { violations } = await page.evaluate(
    async ([source, runOnly]) => {
      // The page's own policy forbids eval, so the checker is brought in by the browser's debugger.
      // biome-ignore lint/suspicious/noExplicitAny: a global of the checker
      const { axe } = globalThis as any;
      if (!axe) throw new Error(`axe is missing: ${source}`);
      return axe.run(runOnly.length > 0 ? { runOnly } : {});
    },
    [AXE, rules] as const,
  );
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

// A telephone and a desk have layouts of their own, and axe is asked in both; the widths between only have to fit.
const WIDTHS = [360, 800, 1280, 1600];
const CHECKED_WIDTHS = [360, 1280];

/** One place from 360 to 1,600 px: nothing runs over, and axe finds nothing serious, in light and in dark. */
export async function expectNoFinding(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
    await arrived(page);
    await expectFits(page);
    // Colours are the same at every width: a long run looks at dark in both layouts.
    const isInDark = isLong || width === 1280;
    if (CHECKED_WIDTHS.includes(width)) await expectNoFindingHere(page, `${name}-${width}`, { isInDark });
    else await picture(page, `${name}-${width}-light`);
  }
}

/** What is shown now, in light and in dark. The two differ in colours alone: in dark axe is asked about those. */
export async function expectNoFindingHere(page: Page, name: string, { isInDark = true } = {}): Promise<void> {
  for (const [colorScheme, rules] of [
    ...(isInDark ? ([['dark', ['color-contrast']]] as const) : []),
    ['light', []],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await arrived(page);
    await picture(page, `${name}-${colorScheme}`);
    const where = { name, colorScheme };
    expect({ ...where, findings: await findings(page, rules) }).toEqual({ ...where, findings: [] });
  }
}

/** What comes softly is there. */
async function arrived(page: Page): Promise<void> {
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)');
}
