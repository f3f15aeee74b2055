import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bringFromNpm, bringNode24 } from '../../scripts/testing/tools.mjs';
import { acceptAll, home, scriptedModel } from '../support/memory-tool.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
const isCi = process.env.CI === 'true';

const NOTE = 'The web server listens on port 9090.';
const create = { name: 'memory', input: { command: 'create', path: '/memories/ports.md', file_text: NOTE } };
const view = { name: 'memory', input: { command: 'view', path: '/memories/ports.md' } };
const update = { name: 'updateWorkingMemory', input: { memory: NOTE } };

interface Example {
  /** Is in the block that is meant. */
  holds: string;
  /** Where its base address ends. */
  base?: string;
  writes: { name: string; input: object }[];
  reads: { name: string; input: object }[];
  /** Is heavy, and not for the oldest Node that we support: it is brought, with the Node it is for. */
  brought?: string[];
}

const EXAMPLES: Record<string, Example> = {
  "Anthropic's SDK": { holds: 'betaMemoryTool(', writes: [create, view], reads: [view] },
  'the AI SDK': { holds: 'generateText(', base: '/v1', writes: [create, view], reads: [view] },
  LangChain: { holds: 'new ChatAnthropic(', writes: [create, view], reads: [view] },
  Mastra: {
    holds: 'memory.mastra(',
    base: '/v1',
    writes: [update],
    reads: [],
    brought: ['@mastra/core@1.71.0', '@mastra/memory@1.31.0'],
  },
};

function example({ holds }: Pick<Example, 'holds'>): string {
  const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const found = blocks.filter((text) => text.includes(holds));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

// A project with the packages that the page names, and nothing of ours but the built package.
function project(text: string, more: string | null): string {
  const folder = tempFolder();
  const modules = join(folder, 'node_modules');
  const link = (from: string, name: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(from, join(modules, name));
  };
  link(ROOT, 'bearings');
  for (const [, name = ''] of text.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)) {
    const from = [join(ROOT, 'node_modules', name), join(more ?? '', 'node_modules', name)].find(existsSync);
    if (from !== undefined && !existsSync(join(modules, name))) link(from, name);
  }
  writeFileSync(join(folder, 'agent.mjs'), text);
  return folder;
}

async function run(node: string, folder: string, env: Record<string, string>): Promise<string> {
  const { BEARINGS_HOME: _, ...own } = process.env;
  const child = spawn(node, ['agent.mjs'], { cwd: folder, env: { ...own, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [code] = await once(child, 'close');
  expect([code, text]).toEqual([0, expect.any(String)]);
  return text;
}

describe('M57 docs/agents.md', () => {
  for (const [name, { base = '', writes, reads, brought, ...block }] of Object.entries(EXAMPLES)) {
    const more = brought ? bringFromNpm('mastra', brought) : null;
    const node = brought ? bringNode24() : process.execPath;
    const isThere = node !== null && (!brought || more !== null);
    it.skipIf(!isThere && !isCi)(
      `M57 ${name}: its example keeps what it learnt until the yes, then has it`,
      async () => {
        const text = example(block);
        const folder = project(text, more);
        const person = home();
        const session = async (calls: Example['writes']) => {
          const model = await scriptedModel(calls);
          const env = { HOME: person, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model.url + base };
          expect(await run(node ?? '', folder, env)).toContain('done');
          return model;
        };
        // It reads back what it wrote, or its tool says that it is kept.
        const written = await session(writes);
        expect(written.answers.at(-1)).toMatch(/9090|success/);
        const before = await session(reads);
        expect(before.requests.join()).not.toContain('9090');
        expect(await acceptAll(person)).toBe(1);
        const after = await session(reads);
        expect(after.requests.at(-1)).toContain(NOTE);
      },
    );
  }

  it('M57 LangGraph: its example keeps what it learnt until the yes, then has it', async () => {
    const folder = project(example({ holds: 'extends BaseStore' }), null);
    const person = home();
    const found = async () => JSON.parse(await run(process.execPath, folder, { HOME: person }));
    expect(await found()).toEqual({ before: [], now: ['helix'] });
    expect(await found()).toEqual({ before: [], now: ['helix'] });
    expect(await acceptAll(person)).toBe(1);
    expect(await found()).toEqual({ before: ['helix'], now: ['helix'] });
  });
});
