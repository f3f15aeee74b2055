import { expect } from 'vitest';
import type { Result } from './process/binary.ts';

// Every refusal: one sentence with what to do, exit code 2, nothing on stdout, no stack.
export function expectRefusal(run: (...args: string[]) => Result, args: string[], words: RegExp, exit = 2): void {
  const { code, stdout, stderr } = run(...args);
  expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
  expect(stderr).toMatch(words);
  expect(stderr).toMatch(/^bearings: [^\n]+\n {10}[^\n]+\n$/);
  expect(stderr).not.toMatch(/ {4}at |node:internal|file:\/\//);
  const json = run(...args, '--json');
  expect({ code: json.code, stdout: json.stdout }).toEqual({ code: exit, stdout: '' });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
}
