// Makes a release ready, or checks that a tag is one. It publishes nothing: pushing the tag does, see .github/workflows/release.yml
//   node scripts/release.mjs 0.2.0          sets the version everywhere and dates its section in CHANGELOG.md
//   node scripts/release.mjs --check v0.2.0 says what is missing before that tag may be published; exit 1
import { readFileSync, writeFileSync } from 'node:fs';
import { manifests, outdated } from './manifests.mjs';
import { optionsOf } from './options.mjs';

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const UNRELEASED = /^## Unreleased\s*$/m;

const { values, positionals } = optionsOf(import.meta.url, {
  options: { check: { type: 'string' } },
  allowPositionals: true,
});
const problems = values.check === undefined ? prepare(positionals[0] ?? '') : missing(values.check);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function prepare(version) {
  if (!VERSION.test(version)) return ['Which version? For example: node scripts/release.mjs 0.2.0'];
  const changes = readFileSync('CHANGELOG.md', 'utf8');
  if (!UNRELEASED.test(changes)) return ['CHANGELOG.md has no section "## Unreleased": what changed for a user?'];
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', changes.replace(UNRELEASED, `## ${version} (${today})`));
  for (const path of ['package.json', 'package-lock.json']) {
    const value = JSON.parse(readFileSync(path, 'utf8'));
    value.version = version;
    if (value.packages) value.packages[''].version = version;
    writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
  }
  for (const [path, text] of Object.entries(manifests())) writeFileSync(path, text);
  console.log(`Ready. Look at it, commit it, then: git tag v${version} && git push origin v${version}`);
  return [];
}

function missing(tag) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const found = outdated().map((path) => `${path} is of another version. Run: npm run manifests`);
  if (tag !== `v${version}`) found.push(`The tag is ${tag}, package.json says ${version}.`);
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(`, 'm');
  if (!heading.test(readFileSync('CHANGELOG.md', 'utf8'))) found.push(`CHANGELOG.md has no section for ${version}.`);
  return found;
}
