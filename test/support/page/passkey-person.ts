import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Place } from '../process/binary.ts';
import { type RunningUi, startPage, startUi } from './page-server.ts';

// One for each test file, below those that systems give away: files run at the same time.
const PORT = 20_000 + (process.pid % 12_000);

/** Chromium's own authenticator, as DevTools gives it to one page. */
export interface VirtualAuthenticator {
  devtools: CDPSession;
  id: string;
}

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, id: authenticatorId };
}

/** The person opens the page with the code; the same browser page keeps its authenticator. */
export async function enterWith(page: Page, ui: RunningUi, path = ''): Promise<void> {
  // Another address first: the same one with another # would not be loaded again.
  await page.goto('about:blank');
  await page.goto(`${ui.address}${path}#${ui.code()}`);
  await page.waitForSelector('.shell, .task');
}

/** One click on what a command has the person confirm; all that the terminal said. */
export async function confirmOnPage(page: Page, ui: RunningUi): Promise<string> {
  await enterWith(page, ui);
  await page.locator('.task button.main').click();
  await page.locator('.task .said').waitFor();
  return ui.ends();
}

/** Up to `passkey`, as a person does it; gives the port and the fingerprint. */
export async function registerPasskey(
  place: Place,
  page: Page,
  typed: readonly string[] = [],
): Promise<{ port: number; fingerprint: string }> {
  const ui = await startPage(place, ['config', 'confirm', 'passkey', '--port', String(PORT)], typed);
  const said = await confirmOnPage(page, ui);
  expect(said).toContain('confirm is now passkey');
  return { port: ui.port, fingerprint: /your key ([0-9a-f]{64})/.exec(said)?.[1] ?? '' };
}

export async function openInbox(place: Place, page: Page): Promise<RunningUi> {
  const ui = await startUi(place);
  await enterWith(page, ui);
  return ui;
}
