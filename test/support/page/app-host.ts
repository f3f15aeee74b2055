import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect } from 'vitest';
import { bringAxe } from './page-browser.ts';

const ENTRY = fileURLToPath(new URL('host-page.mjs', import.meta.url));
// What the protocol asks of a host where an app names no origin; a frame without an address has its parent's policy, too.
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";
const DOCUMENT = `<!doctype html><html lang="en"><title>A chat</title>
<style>
  body { margin: 0; background: #fff; } body.dark { background: #101214; }
  iframe { display: block; width: 100%; height: 300px; border: 0; }
</style>
<main><iframe title="Bearings inbox" sandbox="allow-scripts"></iframe></main>
<script src="/host.js"></script></html>`;

const EVERYTHING = { serverTools: {}, serverResources: {}, openLinks: {} };

export interface HostedApp {
  page: Page;
  app: Frame;
  /** Tools that the app called, with their arguments. */
  calls: { name: string; arguments?: Record<string, unknown> }[];
  links: string[];
  /** What the browser complained about, and requests that left for anywhere. */
  troubles: string[];
}

/** A chat of our own around the app: the published host library in the browser, a real client behind it. */
export function appHost() {
  let address = '';
  const script = build({ input: ENTRY, platform: 'browser', write: false, output: { format: 'iife' } });
  const server = createServer(async ({ url }, answer) => {
    const isScript = url === '/host.js';
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    if (!isScript) answer.setHeader('content-security-policy', POLICY);
    answer.end(isScript ? (await script).output[0].code : DOCUMENT);
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise<void>((done) => void server.close(() => done()).closeAllConnections()));
  return {
    /** Calls `list_proposals` as a model would, and shows the app that the tool names. */
    async show(
      context: BrowserContext,
      client: Client,
      options: { theme?: 'light' | 'dark'; can?: object; input?: Record<string, unknown>; axe?: boolean } = {},
    ): Promise<HostedApp> {
      const { theme = 'light', can = EVERYTHING, input = { image_id: 'manta' } } = options;
      const { tools } = await client.listTools();
      const { _meta: told } = tools.find(({ name }) => name === 'list_proposals') ?? {};
      const { resourceUri: uri } = (told?.ui ?? {}) as { resourceUri: string };
      const [content] = (await client.readResource({ uri })).contents;
      expect(content).toMatchObject({ uri, mimeType: 'text/html;profile=mcp-app' });
      const html = content && 'text' in content ? content.text : '';
      const result = await client.callTool({ name: 'list_proposals', arguments: input });
      const page = await context.newPage();
      const [calls, links, troubles]: [HostedApp['calls'], string[], string[]] = [[], [], []];
      page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
      page.on('pageerror', (error) => troubles.push(String(error)));
      page.on('dialog', (dialog) => {
        troubles.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(address) && request.url() !== 'about:srcdoc') troubles.push(request.url());
      });
      await page.exposeFunction('hostCallTool', async (params: HostedApp['calls'][number]) => {
        calls.push(params);
        return client.callTool({ name: params.name, arguments: params.arguments ?? {} });
      });
      await page.exposeFunction('hostReadResource', async ({ uri: asked }: { uri: string }) =>
        client.readResource({ uri: asked }),
      );
      await page.exposeFunction('hostOpenLink', (url: string) => void links.push(url));
      if (options.axe) await bringAxe(page);
      await page.goto(address);
      await page.evaluate(
        // biome-ignore lint/suspicious/noExplicitAny: a global of the host page
        (given) => (globalThis as any).startApp(given),
        { html, input, result, theme, can } as Record<string, unknown>,
      );
      await page.emulateMedia({ colorScheme: theme });
      const app = page.frames().find((frame) => frame !== page.mainFrame());
      if (!app) throw new Error('The app is not there.');
      return { page, app, calls, links, troubles };
    },
  };
}
