import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { environment, typed } from './support/process/binary.ts';
import { put, tempFolder } from './support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
const project = join(root, 'project');
const text = readFileSync(new URL('../docs/guide-team.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1] ?? '');
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    env: environment({ home }),
  });

function shell(line: string, cwd: string, variables: Record<string, string> = {}) {
  const { code, stdout, stderr } = typed({ home, cwd, variables }, line);
  return { line, status: code, stderr, stdout };
}

it('L16 L20 the guide for a team: every example runs, and the workflow passes and fails as it says', () => {
  put(project, {
    'AGENTS.md': 'rules\n',
    'README.md': 'readme\n',
    Makefile: 'all:\n',
    '.gitignore': '.bearings/receipts.jsonl\n',
  });
  mkdirSync(home, { recursive: true });
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'start');
  for (const line of blocks('bash').flatMap((block) => block.trim().split('\n')))
    expect(shell(line, project)).toMatchObject({ line, status: 0, stderr: '' });
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'context');

  const steps = (parse(blocks('yaml')[0] ?? '').jobs.context.steps as { run?: string }[])
    .flatMap(({ run }) => run ?? [])
    .filter((run) => run.startsWith('bearings '));
  expect(steps).toHaveLength(3);
  const [drift = '', load = '', check = ''] = steps;
  const outputs = ['one', 'two'].map((name) => {
    const clone = join(root, 'runners', name, 'work');
    git(root, 'clone', '-q', project, clone);
    const temp = join(root, 'runners', name);
    for (const run of steps) expect(shell(run, clone, { RUNNER_TEMP: temp })).toMatchObject({ status: 0, stderr: '' });
    return readFileSync(join(temp, 'context.md'), 'utf8');
  });
  expect(outputs[0]).toBe(outputs[1]);

  const clone = join(root, 'runners/one/work');
  appendFileSync(join(clone, 'AGENTS.md'), 'another rule\n');
  expect(shell(drift, clone)).toMatchObject({ status: 1, stdout: expect.stringContaining('AGENTS.md') });
  expect(shell(check, clone)).toMatchObject({ status: 1, stdout: expect.stringContaining('hash_moved') });
  expect(shell(load, clone, { RUNNER_TEMP: root }).status).toBe(0);
  expect(shell(check, clone).status).toBe(0);
  writeFileSync(join(clone, 'Makefile'), 'all: x\n');
  expect(shell(check, clone)).toMatchObject({ status: 1, stdout: expect.stringContaining('dirty_changed') });
});
