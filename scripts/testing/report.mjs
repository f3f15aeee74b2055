// What a run of the tests says at its end: one line for each part, what took longest, what was left out, what failed.
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const LONGEST = 10;

/** One report of vitest, as the summary needs it. A report that was not written is a failure; `status` is how vitest ended. */
export function readReport(path, status) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, tests: [], failures: [`failed: ${basename(path)} was not written`] };
  }
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(process.cwd(), name) })),
  );
  // A file that can't be loaded has no tests to count, and fails all the same.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.length,
  );
  const failures = [
    ...tests.filter((test) => test.status === 'failed').map(failureLine),
    ...broken.map(({ name, message }) => `failed: ${relative(process.cwd(), name)}: ${oneLine(message)}`),
  ];
  // An error outside of any test, or what was left behind: its words are above.
  if (status !== 0 && failures.length === 0) failures.push(`failed: ${basename(path)}: vitest ended with ${status}`);
  return { passed: report.numPassedTests, failed: failures.length, tests, failures };
}

export function printSummary({ parts, reports, leftOut, leftBehind }) {
  console.log('');
  for (const { name, ok, isLeftOut, seconds } of parts)
    console.log(`${isLeftOut ? 'left' : ok ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s`);
  const tests = reports.flatMap((report) => report.tests);
  const slow = tests.filter(({ duration }) => duration > 1000).sort((a, b) => b.duration - a.duration);
  if (slow.length) console.log('\nlongest tests');
  for (const { file, title, duration } of slow.slice(0, LONGEST))
    console.log(`  ${(duration / 1000).toFixed(1).padStart(6)} s  ${file}: ${title.slice(0, 80)}`);
  const skipped = tests.filter(({ status }) => status === 'skipped' || status === 'pending');
  if (leftOut.length + skipped.length) console.log('');
  for (const line of leftOut) console.log(`left out: ${line}`);
  for (const { fullName } of skipped) console.log(`left out: ${fullName}`);
  // Failures last: the end of a long log is what people read first.
  for (const line of leftBehind) console.log(line);
  for (const line of reports.flatMap((report) => report.failures)) console.log(line);
  for (const { name, ok, isTests } of parts) if (!ok && !isTests) console.log(`failed: ${name}`);
  const sum = (of) => reports.reduce((total, report) => total + of(report), 0);
  const others = parts.filter(({ isTests, isLeftOut }) => !isTests && !isLeftOut);
  const passed = sum((report) => report.passed) + others.filter(({ ok }) => ok).length;
  const failed = sum((report) => report.failed) + others.filter(({ ok }) => !ok).length;
  console.log(`\n${passed} passed, ${failed} failed`);
}

function failureLine({ file, title, failureMessages }) {
  const said = (failureMessages[0] ?? '').split('\n    at ')[0];
  // All that Vitest leaves of a test that did not end in its time.
  const why = said.endsWith('STACK_TRACE_ERROR') ? 'it did not end in its time' : said;
  return `failed: ${file}: ${title.slice(0, 80)}: ${oneLine(why)}`;
}

function oneLine(text = '') {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
