type Ending = () => unknown;

const ofTest: Ending[] = [];
const ofFile: Ending[] = [];

// For helpers, which are loaded once for all test files of a process: a hook of their own would end with the first file.
/** From now on after each test of this process. */
export function afterEachTest(end: Ending): void {
  ofTest.push(end);
}

/** From now on after each test file of this process. */
export function afterEachFile(end: Ending): void {
  ofFile.push(end);
}

// For test/support/each-file.ts: the newest first, as vitest does it.
export async function endTest(): Promise<void> {
  for (const end of ofTest.toReversed()) await end();
}

export async function endFile(): Promise<void> {
  for (const end of ofFile.toReversed()) await end();
}
