import { createHash } from 'node:crypto';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import { clipEnd } from '../memory/clip-context.ts';
import { showHidden } from '../safety/hidden-characters.ts';

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';
export const INBOX_URI = 'ui://bearings/inbox.html';
const PROPOSAL = 'bearings://proposals/{id}';
const MIME = 'text/html;profile=mcp-app';
// Lines around a proposal come from a file that may hold a line of any length.
const LINE_CHARS = 1_000;
const HOUR_MS = 3_600_000;

// The review inside a chat, for clients that show apps. It only shows: no call of it carries a decision.
export function registerInboxApp(server: McpServer, bearings: Rooms): void {
  // Nothing is fetched from anywhere, so no origin is named.
  const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };
  const about = {
    title: 'Inbox',
    description: 'What this session proposed and the person has not decided, as an app.',
    mimeType: MIME,
    cacheHint: { ttlMs: HOUR_MS, cacheScope: 'public' as const },
    _meta,
  };
  server.registerResource('inbox', INBOX_URI, about, async () => ({
    contents: [{ uri: INBOX_URI, mimeType: MIME, text: await inboxDocument(bearings), _meta }],
  }));
  const details = {
    title: 'Proposal',
    description: 'A proposal that waits, whole and in its surroundings.',
    mimeType: 'application/json',
  };
  // Named by list_proposals and never listed: what nobody has accepted is not offered as a text to attach.
  const template = new ResourceTemplate(PROPOSAL, { list: undefined });
  server.registerResource('proposal', template, details, async (uri, { id }) => {
    const text = await proposalDetails(bearings, String(id)).catch(() => null);
    if (text === null) throw new ResourceNotFoundError(uri.href, 'No pending proposal has this id.');
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
  });
}

async function proposalDetails(bearings: Rooms, id: string): Promise<string> {
  const { proposal, target, diff, state } = await (await bearings.gate()).showProposal(id);
  const running = await (await bearings.page()).runningPage();
  const lines = diff.map(({ mark, number, text }) => ({
    mark,
    number,
    text: showHidden(mark === ' ' ? clipEnd(text, LINE_CHARS).text : text, { keepLines: true }),
  }));
  return JSON.stringify({
    proposal_id: proposal.proposal_id,
    target,
    reason: proposal.reason,
    state,
    diff: lines,
    // The id and nothing else: whoever follows it still has to be let in by the person.
    page: running ? `http://${running.host}:${running.port}/p/${proposal.proposal_id}` : null,
  });
}

// One document with everything inside. Its own policy allows this very script and style, and no network at all.
async function inboxDocument(bearings: Rooms): Promise<string> {
  const text = async (name: 'inbox.js' | 'page.css' | 'chat.css') =>
    Buffer.from(await (await bearings.page()).servedFile(name)).toString('utf8');
  const script = (await text('inbox.js')).replaceAll('</script', '<\\/script');
  const style = `${await text('page.css')}${await text('chat.css')}`;
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bearings inbox</title>
<style>${style}</style>
<main id="inbox"></main>
<script type="module">${script}</script>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
