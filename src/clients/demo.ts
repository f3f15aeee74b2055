import { join } from '../files/paths.ts';
import type { Decided } from '../gate/decide.ts';
import { shownOf } from '../gate/proposals/proposal.ts';
import type { AppContext } from '../settings/app-context.ts';
import { openApp } from '../settings/io/open-app.ts';
import { copyExamples, makeSample, type Sample } from './io/sample-files.ts';

// What there is to try: a sample of a home, and the examples of the package.
export function demoUseCases(app: AppContext) {
  return {
    /** The templates, lists and adapters of the package, in a folder `examples` of the current folder. */
    copyExamples: (): string[] => copyExamples(app.cwd),

    // Whose files these are is known: the sample's person wrote them. Where nobody sits at the keyboard they also say yes.
    async createSample() {
      const sample = createSample(app.now());
      const { home } = sample;
      const inside = openApp({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, '.cache') } });
      const { gateUseCases } = await import('../gate/gate.ts');
      const gate = gateUseCases(inside, undefined);
      await gate.adoptAll('all', { via: 'demo' });
      return {
        ...sample,
        /** How many still wait for a decision. */
        openProposals: async (): Promise<number> => (await gate.listProposals('all')).length,
        async personAccepts(): Promise<Decided[]> {
          const decided: Decided[] = [];
          for (const proposal of await gate.listProposals('all'))
            decided.push(await gate.decide(shownOf(proposal), null, { decision: 'accept', via: 'demo', client: null }));
          return decided;
        },
      };
    },
  };
}

// A home, a workspace and a project as a developer would have them after a few weeks: enough to see every part of a context.
function createSample(now: Date): Sample {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  return makeSample({
    'home/tastes/_default.md': TASTE_DEFAULT,
    'home/tastes/typescript.md': TASTE_TYPESCRIPT,
    'home/tastes/tests.md': TASTE_TESTS,
    'home/workspaces/billing-client/brief.md': BRIEF,
    'home/workspaces/billing-client/notes.md': NOTES,
    'home/workspaces/billing-client/log.jsonl': lines(
      { timestamp: hoursAgo(4), op: 'run_tests', failed: 2 },
      { timestamp: hoursAgo(3), op: 'release', version: '2.4.0' },
    ),
    'home/workspaces/billing-client/vocabulary_gaps.jsonl': lines({
      ...{ timestamp: hoursAgo(5), image_id: 'billing-client', intent_category: 'tools' },
      description: 'no way to replay a webhook against the sandbox',
    }),
    ...PROJECT,
  });
}

// The library itself, as an agent would find it.
const PROJECT: Readonly<Record<string, string>> = {
  'project/AGENTS.md':
    '# Rules of this repository\n\n- Tests run with `pnpm test`.\n- How retries behave is written down in docs/retries.md; change both together.\n',
  'project/README.md': '# billing-client\n\nCalls the billing API from Node 20 and from browsers.\n',
  'project/docs/retries.md':
    '# Retries\n\nOnly 429 and 503 are retried, at most five times.\nRetry-After wins over the delay of our own.\nA request that changes money carries an idempotency key before it is retried.\n',
  'project/src/retry.ts': `const MAX_TRIES = 5;

// Milliseconds to wait before the next try; null: give up.
export function retryAfter(status: number, tries: number, header: string | null): number | null {
  if ((status !== 429 && status !== 503) || tries >= MAX_TRIES) return null;
  return header === null ? 2 ** tries * 250 : Number(header) * 1000;
}
`,
  'project/src/request.ts': `import { retryAfter } from './retry.ts';

export async function request(url: string, tries = 0): Promise<Response> {
  const response = await fetch(url);
  const wait = retryAfter(response.status, tries, response.headers.get('retry-after'));
  if (wait === null) return response;
  await new Promise((resolve) => setTimeout(resolve, wait));
  return request(url, tries + 1);
}
`,
  'project/src/money.ts': 'export const inCents = (amount: string): number => Math.round(Number(amount) * 100);\n',
  'project/release-note.xml': `<task type="sequential" name="release note">
  <description>What changed in retries, for the release notes</description>
  <context_management>
    <inherit_context>full</inherit_context>
    <accumulate_data>true</accumulate_data>
    <accumulation_format>notes_only</accumulation_format>
    <fresh_context>disabled</fresh_context>
  </context_management>
  <steps>
    <task type="atomic" name="collect"><description>Collect what is said about requests that change money</description>
      <context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>
    </task>
    <task type="atomic" name="sum up"><description>Sum up what is said about Retry-After</description>
      <context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>
    </task>
    <approve name="agreed"><description>May this go into the release notes?</description></approve>
    <task type="atomic" name="entry"><description>Entry of the release notes: {{said}}</description>
      <inputs><input name="said" from="agreed.content"/></inputs>
      <context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>
    </task>
  </steps>
</task>
`,
};

const NOTES = `# Notes on billing-client

- The sandbox of the billing API answers 503 on Sundays; tests that need it skip then.
- Amounts are strings in the API and cents in our code.
`;

const TASTE_DEFAULT = `# What I always want

- Small commits; one concern each.
- Say what was left untested.

Never run \`git push --force\`: others build on main.
`;

const TASTE_TYPESCRIPT = `# TypeScript

- Errors carry a code, not only a sentence.
- no default exports
`;

const TASTE_TESTS = `# Tests

- One behaviour a test; its title says which.
- no default exports
`;

const BRIEF = `# A client library for the billing API

Tastes: typescript, tests, browsers

Node 20 and browsers. Whoever calls it must never pay twice.
`;
