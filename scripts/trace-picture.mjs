// npm run picture:trace: docs/pictures/trace.svg, drawn from a real trace: a client's call of load_context over stdio, through
// the built server, to the files that were read. The recorder beside this file stands for a collector.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';

const PICTURE = 'docs/pictures/trace.svg';
const RECORDER = resolve(import.meta.dirname, 'trace-recorder.mjs');
const PROJECT = {
  'README.md': '# Server\n\nA server with a router.\n',
  'AGENTS.md': 'Be careful with the router.\n',
  'src/router.ts': 'export function route(path: string) {\n  return path.slice(0, LIMIT);\n}\n',
  'src/limits.ts': 'export const LIMIT = 4096; // of the router\n',
};
const CALL = 'execute_tool load_context';
const TASK = 'raise the limit of the router';
const CALLS = 10;
const ROW = 26;
const MARGIN = 16;
const LABELS = 400;
const WIDTH = 920;

const folder = mkdtempSync(join(tmpdir(), 'bearings-trace-'));
try {
  const file = join(folder, 'spans.jsonl');
  process.env.BEARINGS_TRACE_FILE = file;
  await import(pathToFileURL(RECORDER).href);
  for (const [name, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(folder, 'project', name)), { recursive: true });
    writeFileSync(join(folder, 'project', name), text);
  }
  await callTimes(CALLS);
  const spans = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const roots = spans.filter(({ parent, name }) => parent === null && name === CALL);
  // The first call loads code and makes the index; of the others the one in the middle is what an agent meets.
  const [, ...others] = roots.sort((a, b) => a.start - b.start);
  const usual = others.sort((a, b) => a.end - a.start - (b.end - b.start))[Math.floor(others.length / 2)];
  const own = spans.filter(({ trace: id }) => id === usual.trace);
  writeFileSync(PICTURE, picture(rowsOf(own)));
  console.log(`${PICTURE}: ${own.length} spans of trace ${usual.trace}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function callTimes(calls) {
  const client = new Client({ name: 'client', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--import', pathToFileURL(RECORDER).href, resolve('dist/bin/main.cjs'), 'mcp'],
      cwd: join(folder, 'project'),
      env: { PATH: process.env.PATH, HOME: folder, BEARINGS_TRACE_FILE: process.env.BEARINGS_TRACE_FILE },
    }),
  );
  for (let call = 0; call < calls; call += 1) {
    const span = trace.getTracer('client').startSpan(CALL, { kind: SpanKind.CLIENT });
    const _meta = {};
    propagation.inject(trace.setSpan(context.active(), span), _meta);
    const { isError } = await client.callTool({ name: 'load_context', arguments: { task: TASK }, _meta });
    span.end();
    if (isError) throw new Error('load_context refused');
  }
  await client.close();
}

// The tree from the client's span down; below a span its events, which are the files.
function rowsOf(spans) {
  const rows = [];
  const visit = (span, depth) => {
    rows.push({ depth, label: span.name, about: aboutOf(span), start: span.start, end: span.end });
    for (const { name, time, attributes } of span.events)
      rows.push({
        depth: depth + 1,
        label: attributes.path ?? name,
        about: `${attributes.slice ?? ''} · ${attributes.chars ?? 0} characters`,
        start: time,
        end: null,
      });
    const children = spans.filter(({ parent }) => parent === span.id).sort((a, b) => a.start - b.start);
    for (const child of children) visit(child, depth + 1);
  };
  const root = spans.find(({ parent }) => parent === null);
  if (!root) throw new Error('the trace has no beginning');
  visit(root, 0);
  return rows;
}

function aboutOf({ name, attributes }) {
  if (name.startsWith('execute_tool')) return 'client';
  if (name.startsWith('tools/call')) return `server · ${attributes['network.transport']}`;
  const hash = attributes['bearings.bundle.sha256'];
  return hash ? `bundle ${hash.slice(0, 8)}` : '';
}

function picture(rows) {
  const { start, end } = rows[0];
  const total = Math.max(...rows.map((row) => row.end ?? row.start), end) - start;
  const scale = (time) => LABELS + (Math.max(0, time - start) / total) * (WIDTH - LABELS - MARGIN - 80);
  const height = rows.length * ROW + 2 * MARGIN;
  const lines = rows.map((row, at) => {
    const y = MARGIN + at * ROW;
    const x = scale(row.start);
    const isEvent = row.end === null;
    const width = isEvent ? 0 : Math.max(3, scale(row.end) - x);
    const mark = isEvent
      ? `<circle class="file" cx="${x.toFixed(1)}" cy="${y + 11}" r="4"/>`
      : `<rect class="span" x="${x.toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="14" rx="3"/>`;
    const time = isEvent
      ? ''
      : `<text class="quiet" x="${(x + width + 8).toFixed(1)}" y="${y + 16}">${(row.end - row.start).toFixed(1)} ms</text>`;
    const label = `<text x="${MARGIN + row.depth * 18}" y="${y + 16}">${safe(row.label)} <tspan class="quiet">${safe(row.about)}</tspan></text>`;
    return `${label}${mark}${time}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="A trace from a client's call of load_context to the files that were read">`,
    '<style>text{font:13px system-ui,sans-serif;fill:#1c2024}.quiet{fill:#5a6068;font-size:12px}.paper{fill:#fbfaf7}.span{fill:#245a8d}.file{fill:#3f9b58}@media (prefers-color-scheme:dark){text{fill:#e7e9eb}.quiet{fill:#9ea6af}.paper{fill:#141618}.span{fill:#8fbdec}}</style>',
    `<rect class="paper" width="${WIDTH}" height="${height}" rx="10"/>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function safe(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
