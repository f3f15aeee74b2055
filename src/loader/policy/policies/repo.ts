import { DEFAULT_BUDGET, DEFAULT_PARTITIONS } from '../limits.ts';
import type { Policy } from '../policy.ts';

const DECISIONS = ['docs/decisions/*.md', 'docs/adr/*.md', 'docs/adrs/*.md', 'doc/adr/*.md', 'adr/*.md'];

// What tells an agent how to work here comes whole; of what is written for all readers a little, a tenth of the budget together.
const [RULES, SKIMMED] = [6_000, 600];

// Where no special place has anything to say, these pages and entry points explain most.
const GENERAL = [
  ...['ARCHITECTURE.md', 'docs/*.md', 'doc/*.md'],
  ...['src/index.*', 'src/main.*', 'src/app.*', 'src/lib.*', 'lib/index.*', 'index.*', 'main.*', 'app.*'],
];

export const repoPolicy: Policy = {
  name: 'repo',
  about: 'For any repository, without set-up: what it says to agents and readers first, then the usual places.',
  control_plane: [
    { path: 'AGENTS.md', required: false, json: false, health: [], max_chars: RULES },
    { path: 'CLAUDE.md', required: false, json: false, health: [], max_chars: RULES },
    {
      first: ['CONTRIBUTING.md', '.github/CONTRIBUTING.md', 'docs/CONTRIBUTING.md', 'CONTRIBUTING.rst', 'CONTRIBUTING'],
      required: false,
      max_chars: RULES,
    },
    {
      first: ['README.md', 'readme.md', 'README.rst', 'README.adoc', 'README.txt', 'README'],
      required: false,
      max_chars: SKIMMED,
    },
    {
      first: [
        ...['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle.kts', 'build.gradle'],
        ...['composer.json', 'Gemfile', 'mix.exs', 'pubspec.yaml', 'Package.swift', 'setup.py', 'CMakeLists.txt'],
      ],
      required: false,
      max_chars: SKIMMED,
    },
    { newest: DECISIONS, count: 3, active: true, inactive_in: null, max_chars: SKIMMED },
  ],
  intents: [
    {
      key: 'design',
      about: 'How it looks and feels to a person.',
      words: ['design', 'ui', 'ux', 'frontend', 'visual', 'style', 'layout', 'theme', 'accessibility'],
      include: [
        ...['docs/design/**/*.md', 'docs/ui/**/*.md', 'docs/ux/**/*.md', 'docs/*design*.md', 'docs/*style*.md'],
        ...['design/**/*.md', 'DESIGN.md', 'docs/**/*accessib*.md', 'src/styles/*.css', 'styles/*.css'],
        ...GENERAL,
      ],
    },
    {
      key: 'test',
      about: 'How it is tested.',
      words: ['test', 'testing', 'coverage', 'fixture', 'flaky', 'e2e', 'benchmark'],
      include: [
        ...['docs/*test*.md', 'docs/test*/**/*.md', 'test/*.md', 'tests/*.md', 'TESTING.md'],
        ...['vitest.config.*', 'jest.config.*', 'playwright.config.*', 'pytest.ini', 'tox.ini', 'conftest.py'],
        ...['tests/conftest.py', 'test/*.test.*', 'tests/*.test.*', 'test/*_test.*', 'tests/test_*.py', 'tests/*.rs'],
        ...GENERAL,
      ],
    },
    {
      key: 'build',
      about: 'How it is built, checked by machines, released and installed.',
      words: ['build', 'ci', 'release', 'deploy', 'deployment', 'publish', 'docker', 'workflow', 'pipeline', 'install'],
      include: [
        ...['docs/*release*.md', 'docs/*build*.md', 'docs/*deploy*.md', 'docs/*install*.md', 'RELEASING.md'],
        ...['.github/workflows/*.yml', '.github/workflows/*.yaml', '.gitlab-ci.yml', '.circleci/config.yml'],
        ...['Makefile', 'justfile', 'Taskfile.yml', 'Dockerfile', 'docker-compose*.yml', 'compose.yaml'],
        ...['tsconfig.json', 'turbo.json', 'CHANGELOG.md', 'scripts/*'],
        ...GENERAL,
      ],
    },
    {
      key: 'docs',
      about: 'What readers are told.',
      words: ['doc', 'documentation', 'readme', 'guide', 'tutorial', 'manual', 'changelog', 'translation'],
      include: ['docs/*.md', 'docs/**/*.md', 'doc/**/*.md', 'CHANGELOG.md', '*.md', ...GENERAL],
    },
    {
      key: 'default',
      about: 'Everything else.',
      words: [],
      include: [...GENERAL, '*.md', 'docs/**/*.md', 'src/*'],
    },
  ],
  // Settings of tools and workflows lie in names with a dot.
  match: { include: ['**/*', '**/.*', '**/.*/**/*'], history: 1_000 },
  exclude: ['**/node_modules', '**/vendor', '**/.yarn', '**/*.min.*', '**/*.map'],
  tactical: ['notes', 'log', 'gaps'],
  adapters: [],
  budget: { ...DEFAULT_BUDGET, max_chars_per_file: 12_000 },
  partitions: DEFAULT_PARTITIONS,
};
