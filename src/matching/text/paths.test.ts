import { describe, expect, it } from 'vitest';
import { isSecretName, isTest, kindOf, sequenceOf, speakerOf, subjectOf } from './paths.ts';

describe('names of files', () => {
  it.each([
    [
      'record',
      'changes changelog HISTORY.md news.txt News.rst changes.txt release.md releases.md AUTHORS Contributors.md Cargo.lock yarn.lock.old package-lock.json GO.SUM npm-shrinkwrap.json a.snap a.min.js a.min.css a.js.map a.SVG',
    ],
    ['prose', 'a.md a.mdx a.markdown a.rst a.TXT a.adoc newsletter.md prehistory.md exchange.md'],
    [
      'data',
      'a.json a.jsonc a.json5 a.yml a.YAML a.toml a.ini a.cfg a.csv a.tsv a.xml a.htm a.html a.css a.scss unlock.json ago.sum.json',
    ],
    ['code', 'a.mdp a.jsonx md json Makefile clock.ts a.svgz a.min.jsx go.summary.c x.snap.ts'],
  ])('L7 of the kind %s', (kind, names) => {
    expect(names.split(' ').filter((name) => kindOf(`x/${name}`) !== kind)).toEqual([]);
  });

  it.each([
    [
      'a test',
      true,
      'a.test.ts a.tests.ts a.SPEC.ts a-spec.js a_specs.rb a.e2e.ts a.bench.ts x-benchmarks.ts a.test-d.ts test.a.ts spec_a.rb test-a.sh a_test.go test_a.py ATest.java ATests.kt test/a.ts Tests/a.ts __tests__/a.ts spec/a.ts specs/a.ts e2e/a.ts testing/a.ts runtime-tests/a.ts testdata/a.ts',
    ],
    [
      'no test',
      false,
      'attest.ts contest.ts testify.ts a.tested.ts specific.ts tester/a.ts mytests/a.ts latest/a.ts Testing.java user-testimonials.ts a-special.ts x_specifics.py special.rb',
    ],
  ])('L7 %s is told by its name or its folder', (_, is, names) => {
    expect(names.split(' ').filter((name) => isTest(`x/${name}`) !== is)).toEqual([]);
  });

  it.each([
    [
      'router',
      'router.ts router.test.ts router.spec.js Router.e2e.ts router.bench.ts router.d.ts router.test-d.ts router_test.go router-spec.js test_router.py tests.router.ts spec-router.js .router.json router/index.ts router/INDEX.js router/main.go router/mod.rs router/lib.rs router/init.lua router/__init__.py router/__main__.py router/README.md router/package.json router/src/index.ts router/test/index.ts',
    ],
    ['routertested', 'router.tested.ts'],
    ['indexer', 'router/indexer.ts'],
    ['reindex', 'router/reindex.ts'],
    ['src', 'src.ts'],
  ])('L7 what is about %s is so by name', (subject, names) => {
    expect(names.split(' ').filter((name) => subjectOf(`x/${name}`) !== subject)).toEqual([]);
  });

  it.each([
    [
      'secret',
      true,
      '.env .ENV .env.local .env.example.local id_rsa id_dsa id_ecdsa ID_ED25519 .netrc .git-credentials .npmrc .pypirc a.pem a.key a.p12 a.pfx a.JKS a.keystore a.env .envrc .env~ env.backup .pgpass .htpasswd .aws/credentials .docker/config.json .kube/config .ssh/known a.tfstate a.tfvars service-account.json token .token tokens.txt api_key apikey secret secret.txt passwords.txt mnemonic.txt .erlang.cookie .ansible_vault_pass secrets/db',
    ],
    [
      'no secret',
      false,
      'config.json credentials .env.example .env.sample .env.template .env.dist .envy my_id_rsa id_rsa.pub a.npmrc .npmrcs .pypirc2 a.pem.txt keys pem key.ts token.ts secrets.ts secrets/index.ts password.html seed.sql passwords.py',
    ],
  ])('L19 a file whose use is a secret: %s', (_, is, names) => {
    expect(names.split(' ').filter((name) => isSecretName(`x/${name}`) !== is)).toEqual([]);
  });

  it.each([
    ['a/router.test.ts', 'router', true],
    ['a/test_router.py', 'router', true],
    ['a/router_test.go', 'router', true],
    ['a/RouterTests.java', 'routertests', true],
    ['tests/router.ts', 'router', true],
    ['a/__tests__/x.ts', 'x', true],
    ['a/router/index.ts', 'router', false],
    ['a/router/src/main.rs', 'router', false],
    ['router/tests/index.ts', 'router', true],
    ['index.ts', 'index', false],
    ['a/latest.ts', 'latest', false],
    ['a/.router.ts', 'router', false],
    ['a/router.d.ts', 'router', false],
    ['a/bodyLimit.spec.ts', 'bodylimit', true],
    ['a/README.md', 'a', false],
  ])('L7 %s is about %s (a test: %s)', (path, subject, test) => {
    expect(subjectOf(path)).toBe(subject);
    expect(isTest(path)).toBe(test);
  });

  it.each([
    ['CHANGELOG.md', 'record'],
    ['docs/HISTORY.rst', 'record'],
    ['CHANGES', 'record'],
    ['src/history.ts', 'code'],
    ['package-lock.json', 'record'],
  ])('L7 %s is of the kind %s', (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });

  it.each([
    ['talk/turn-3.md', 'talk/turn-#.md'],
    ['2026-11-15.md', '2026-11-#.md'],
    ['a/v2/notes.md', null],
    ['a/b3.ts', null],
    ['log12a.txt', 'log#a.txt'],
  ])('L7 %s is of the sequence %s', (path, name) => expect(sequenceOf(path)).toBe(name));

  it.each([
    ['Ann: hello', 'ann'],
    ['\n> **Bob Miller:** yes', 'bob'],
    ['ann: hello', null],
    ['Ann said: x', 'ann'],
    ['assistant: yes', 'assistant'],
    [`${'x\n'.repeat(150)}Ann: late`, null],
  ])('L7 %j is said by %s', (text, speaker) => expect(speakerOf(text)).toBe(speaker));
});
