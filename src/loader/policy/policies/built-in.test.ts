import { describe, expect, it } from 'vitest';
import { loadFromMemory } from '../../../../test/support/memory-project.ts';
import { BUILT_IN } from '../extend-policy.ts';

// Where files of any repository usually are, by what a task says: each is found by a pattern, alone in its project.
const PLACES: Record<string, [words: string, places: string]> = {
  design: [
    'design ui ux frontend visual style layout theme accessibility',
    'docs/design/a/b.md docs/ui/a.md docs/ux/a.md docs/my-design-notes.md docs/styleguide.md design/a/b.md DESIGN.md docs/a/accessibility.md src/styles/a.css styles/a.css',
  ],
  test: [
    'test testing coverage fixture flaky e2e benchmark',
    'docs/my-tests.md docs/testing/a/b.md test/a.md tests/a.md TESTING.md vitest.config.ts jest.config.js playwright.config.ts pytest.ini tox.ini conftest.py tests/conftest.py test/a.test.ts tests/a.test.js test/a_test.go tests/test_a.py tests/a.rs',
  ],
  build: [
    'build ci release deploy deployment publish docker workflow pipeline install',
    'docs/releases.md docs/build.md docs/deploying.md docs/installing.md RELEASING.md .github/workflows/a.yml .github/workflows/a.yaml .gitlab-ci.yml .circleci/config.yml Makefile justfile Taskfile.yml Dockerfile docker-compose.dev.yml compose.yaml tsconfig.json turbo.json CHANGELOG.md scripts/a',
  ],
  docs: [
    'doc documentation readme guide tutorial manual changelog translation',
    'docs/a.md docs/a/b.md doc/a/b.md CHANGELOG.md ANY.md',
  ],
  default: ['', 'ANY.md docs/a/b.md src/any.ts'],
};
// Where a special place says nothing, these explain most: for every kind of task.
const GENERAL =
  'ARCHITECTURE.md docs/a.md doc/a.md src/index.ts src/main.rs src/app.py src/lib.rs lib/index.js index.html main.go app.rb';
const CONTROL =
  'AGENTS.md CLAUDE.md CONTRIBUTING.md .github/CONTRIBUTING.md docs/CONTRIBUTING.md CONTRIBUTING.rst CONTRIBUTING README.md readme.md README.rst README.adoc README.txt README package.json pyproject.toml Cargo.toml go.mod pom.xml build.gradle.kts build.gradle composer.json Gemfile mix.exs pubspec.yaml Package.swift setup.py CMakeLists.txt docs/decisions/1.md docs/adr/1.md docs/adrs/1.md doc/adr/1.md adr/1.md';

const alone = (path: string, task: string) => {
  const { bundle } = loadFromMemory({ files: { [path]: path.endsWith('.json') ? '{}' : 'text' }, options: { task } });
  return { key: bundle.task_key, files: bundle.files.map((file) => `${file.source_class} ${file.path}`) };
};

describe('the policy for any repository', () => {
  const cases = Object.entries(PLACES).flatMap(([key, [words, places]]) =>
    [...places.split(' '), ...GENERAL.split(' ')].map((path) => [key, words.split(' ')[0] ?? '', path] as const),
  );
  it.each(cases)('L2 %s: a task that says "%s" finds %s', (key, word, path) =>
    expect(alone(path, word)).toEqual({ key, files: [`task ${path}`] }),
  );

  const special = cases.filter(([key, , path]) => key !== 'default' && !GENERAL.split(' ').includes(path));
  it.each(special)('L2 %s: for "%s", %s comes before what explains everything', (_, word, path) => {
    const { bundle } = loadFromMemory({ files: { [path]: '{}', 'src/index.ts': 'text' }, options: { task: word } });
    expect(bundle.files.map((file) => file.path)).toEqual([path, 'src/index.ts']);
  });

  it.each(Object.entries(PLACES).flatMap(([key, [words]]) => words.split(' ').map((word) => [word, key] as const)))(
    'L2 the word "%s" means %s',
    (word, key) => expect(alone('README.md', `about ${word}.`).key).toBe(key),
  );

  it.each(CONTROL.split(' '))('L2 %s is control plane, whatever the task', (path) =>
    expect(alone(path, 'tests').files).toEqual([`control_plane ${path}`]),
  );

  it('L2 one README and one manifest, the first of the known names; the three newest records', () => {
    const names = [...CONTROL.split(' '), ...[2, 3, 4].map((number) => `docs/adr/${number}.md`)];
    const { bundle } = loadFromMemory({ files: Object.fromEntries(names.map((name) => [name, '{}'])) });
    expect(bundle.control_plane.files.map(({ path }) => path)).toEqual([
      ...['AGENTS.md', 'CLAUDE.md', 'CONTRIBUTING.md', 'README.md', 'package.json'],
      ...['docs/adr/4.md', 'docs/adr/3.md', 'docs/adr/2.md'],
    ]);
    expect(bundle.control_plane.files.every(({ required }) => !required)).toBe(true);
  });

  it('L5 leaves out what others made: dependencies, minified code and source maps', () =>
    expect(BUILT_IN.repo.exclude).toEqual([
      ...['**/node_modules', '**/vendor', '**/.yarn'],
      ...['**/*.min.*', '**/*.map'],
    ]));

  it('L7 lets every file compete, also those with a dot, and the past helps', () =>
    expect(BUILT_IN.repo.match).toEqual({ include: ['**/*', '**/.*', '**/.*/**/*'], history: 1_000 }));
});

describe('the cortex policy', () => {
  it('L3 its control plane is in the fixed order', () =>
    expect(BUILT_IN.cortex.control_plane).toEqual([
      { path: '.cortex/manifest_v0.json', required: true, json: true, health: [] },
      {
        path: '.cortex/reports/lifecycle_audit_v0.json',
        required: true,
        json: true,
        health: ['health', 'health_status', 'overall_status', 'overall', 'status', 'result'],
      },
      { path: '.cortex/reports/audit_needed_v0.json', required: false, json: true, health: [] },
      { path: '.cortex/reports/decision_candidates_v0.json', required: true, json: true, health: [] },
      {
        newest: ['.cortex/artifacts/decisions/decision_*_v*.md'],
        count: 3,
        active: true,
        inactive_in: '.cortex/reports/decision_candidates_v0.json',
      },
    ]));

  it('L4 its words and patterns are those of the contract, in its order', () =>
    expect(BUILT_IN.cortex.intents.map(({ key, words, include }) => [key, words.join('|'), include.join(' ')])).toEqual(
      [
        [
          'design',
          'design|ui|frontend|visual',
          '.cortex/artifacts/design_*.dsl .cortex/artifacts/design_*.json templates/design_ontology*.json templates/modern_web_design_vocabulary_v0.json',
        ],
        ['governance', 'governance|policy|rules|audit', '.cortex/artifacts/governance_*.md policies/*.md'],
        ['direction', 'direction|strategy|north star|goal', '.cortex/artifacts/direction_*.md policies/*.md'],
        ['spec', 'spec|schema|contract', 'specs/*.md .cortex/artifacts/*.md'],
        ['default', '', '.cortex/artifacts/*.md specs/*.md'],
      ],
    ));

  it('L5 L6 L7 matches nothing by words, leaves nothing out, and shows notes, log and gaps', () =>
    expect(BUILT_IN.cortex).toMatchObject({
      name: 'cortex',
      match: null,
      exclude: [],
      adapters: [],
      tactical: ['notes', 'log', 'gaps'],
    }));
});
