import { describe, expect, it } from 'vitest';
import { rulesIn } from '../memory/rules.ts';
import { matchesCommand, matchesPath, stopFor } from './rules.ts';

const plain = (path: string, folder: string) => [folder === '' ? path : `${folder}/${path}`];
const stops = (text: string, command: string) =>
  stopFor(rulesIn(text), { command, edits: [] }, plain)?.decision ?? null;

describe('M54 a rule is a sentence with patterns in back-ticks', () => {
  it('never and ask, run and edit; the sentence is the person’s own', () => {
    const text = [
      'Never run `git push --force` or `git push -f`: the history is shared.',
      '- Ask before running `npm publish`.',
      'We use codegen. Never edit `generated/`, `*.gen.ts`. Thanks.',
      '2. Ask me before editing files',
      '   under `db/migrations/**`.',
    ].join('\n');
    expect(rulesIn(text).map(({ decision, about, patterns }) => [decision, about, ...patterns])).toEqual([
      ['deny', 'command', 'git push --force', 'git push -f'],
      ['ask', 'command', 'npm publish'],
      ['deny', 'path', 'generated/', '*.gen.ts'],
      ['ask', 'path', 'db/migrations/**'],
    ]);
    expect(rulesIn(text)[0]?.sentence).toBe('Never run `git push --force` or `git push -f`: the history is shared.');
  });

  it.each([
    'Never run tests in parallel.',
    'You may never run `rm`.',
    '> Never run `rm`.',
    '```\nNever run `rm`.\n```',
    'Never say `rm`.',
    'Never run it. `rm` is fine.',
  ])('nothing else is a rule: %s', (text) => expect(rulesIn(text)).toEqual([]));

  it.each([
    ['git push --force', 'git -C x push origin main -f', true],
    ['git push --force', 'git push --force-with-lease', false],
    ['git push --force', 'git stash push --force', false],
    ['git push', 'git commit -m push', false],
    ['rm -rf', 'rm -r -f x', true],
    ['rm -rf', 'rm -r x', false],
    ['rm -rf node_modules', 'rm -rf dist node_modules', true],
    ['npm run deploy:*', 'npm run deploy:prod', true],
    ['terraform *', 'terraform plan', true],
    ['kubectl delete', 'kubectl --context prod -n x delete pod y', true],
    ['docker compose down -v', 'docker compose -f a.yml down -v', true],
    ['aws s3 rm', 'aws --profile x s3 rm s3://y --recursive', true],
    ['*sql', 'psql -c x', true],
    ['cargo publish', 'cargo +nightly publish', true],
    ['cargo publish', 'cargo search publish', false],
    ['redis-cli flushall', 'redis-cli -n 2 FLUSHALL', true],
    ['git branch -d', 'git branch -D x', false],
    ['curl', 'grep curl x', false],
    // A letter is short for what most programs mean by it, and for no other option that begins so.
    ['git commit --amend', 'git commit -am x', false],
    ['docker run --privileged', 'docker run -p 80:80 x', false],
    ['git push -f', 'git push --force', true],
    ['git push -f', 'git push --follow-tags', false],
    ['rm -rf', 'rm --recursive --force x', true],
    ['npm install -g', 'npm i --global x', true],
    ['terraform apply -auto-approve', 'terraform apply --auto-approve', true],
    // Other names of the same.
    ['npm install', 'npm add x', true],
    ['npm install', 'npm ci', false],
    ['pnpm add', 'pnpm install', false],
    ['pip install', 'pip3.12 install x', true],
    ['python', 'python3 a.py', true],
    ['docker compose down -v', 'docker-compose -f a.yml down --volumes', true],
    ['docker rm', 'docker container rm x', true],
    ['docker push', 'docker image push x', true],
    ['docker rmi', 'docker image rm x', true],
    ['docker rm', 'docker image rm x', false],
    ['git branch -D', 'git branch --delete --force x', true],
    ['git branch -D', 'git branch --delete x', false],
    ['yarn add', 'yarn workspace web add x', true],
    ['kill -9', 'kill -KILL 1', true],
    ['kill -9', 'kill -s SIGKILL 1', true],
    ['kill -9', 'kill -TERM 1', false],
    ['sed -i', 'sed -i.bak s/a/b/ x', true],
    ['sed -i', "sed -n '1,2p' x", false],
    ['jest -u', 'jest --updateSnapshot', true],
    ['psql -c', 'psql --command x', true],
    ['php artisan migrate', './artisan migrate', true],
    ['apt install', 'apt-get install -y x', true],
    ['gradle publish', './gradlew clean :app:publish', true],
    ['pnpm run release', 'pnpm -r release', true],
    ['npx prisma db push', 'pnpm prisma db push', true],
    ['npx prisma db push', 'prisma db push', true],
    ['python manage.py flush', './manage.py flush', true],
    ['make deploy', 'make ENV=x clean deploy', true],
    ['make deploy', 'make deploy-docs', false],
    ['git push --force', 'git push origin +main', true],
    ['git push origin main', 'git push origin HEAD:main', true],
    ['git push origin main', 'git push origin maintenance', false],
    ['git push --delete', 'git push origin :old', true],
    ['redis-cli FLUSHALL', 'redis-cli flushall', true],
    // An option and its value in one word or in two.
    ['serverless deploy --stage prod', 'sls deploy --stage=prod', true],
    ['serverless deploy --stage prod', 'serverless deploy --stage=dev', false],
    ['terraform apply', 'terraform plan -out=apply', false],
    ['mysql -h prod', 'mysql -hprod shop', true],
    ['mysql -h prod', 'mysql --host=prod shop', true],
    ['mysql -h prod', 'mysql -hproduct shop', false],
    ['kubectl apply -f prod/', 'kubectl apply --filename=prod/', true],
    // Kinds of a cluster, short, in the plural and with the name behind them.
    ['kubectl delete namespace', 'kubectl delete ns x', true],
    ['kubectl delete namespace', 'kubectl delete namespaces/x', true],
    ['kubectl delete ingress', 'kubectl delete ingresses x', true],
    ['redis-cli flushall', 'valkey-cli flushall', true],
    ['kubectl delete pvc', 'kubectl -n x delete persistentvolumeclaims/a', true],
    ['kubectl delete deployment', 'kubectl delete deployments.apps/a', true],
    ['kubectl delete pvc', 'kubectl delete pod/pvc-a', false],
    // Whoever publishes.
    ['npm publish', 'pnpm -r publish', true],
    ['npm publish', 'pnpm --filter core publish', true],
    ['npm publish', 'yarn npm publish', true],
    ['npm publish', 'pnpm changeset publish', false],
    ['npx changeset publish', 'pnpm changeset publish', true],
    // The beginning of a sub-command, where a program takes that.
    ['npm publish', 'npm pub', true],
    ['composer update', 'composer up', true],
    ['docker push', 'docker pu', false],
    // One program with an ending, a hyphen, or a second name.
    ['esptool.py erase_flash', 'esptool erase_flash', true],
    ['git lfs prune', 'git-lfs prune', true],
    ['pip install', 'uv pip install x', true],
    ['netlify deploy --prod', 'netlify-cli deploy --prod', true],
    ['iptables -F', 'iptables --flush INPUT', true],
    ['systemctl stop nginx', 'systemctl stop nginx.service', true],
  ])('%s against %s: %s', (pattern, command, expected) => {
    expect(matchesCommand(pattern, command.split(' '))).toBe(expected);
  });

  it.each([
    ['generated/', 'generated/a/b.ts', true],
    ['generated', 'packages/x/generated/b.ts', true],
    ['src/generated/**', 'src/generated/a.ts', true],
    ['src/generated', 'lib/src/generated/a.ts', false],
    ['*.lock', 'a/b.lock', true],
    ['generated', 'generated-docs/a', false],
    ['~/.ssh', '~/.ssh/id', true],
    ['/etc/**', '/etc/hosts', true],
    ['etc', '/etc/hosts', false],
    ['../x', 'x', false],
  ])('path %s against %s: %s', (pattern, path, expected) => {
    expect(matchesPath(pattern, [path])).toBe(expected);
  });

  it('a pattern in quotes is part of a longer text', () => {
    const rule = 'Never run `dropdb`, and never `psql -c "DROP TABLE"`.';
    expect(stops(rule, "psql -d x -c 'drop table if exists a;'")).toBe('deny');
    expect(stops(rule, 'psql -c "SELECT 1"')).toBe(null);
  });

  it('a text counts wherever it is given: with an option in one word, by a here-document, through a pipe', () => {
    const rule = 'Never run `psql -c "DROP TABLE"`.\n\nNever run `mongosh * "dropDatabase"`.';
    for (const line of [
      "psql --command='drop table a'",
      'psql shop <<SQL\nDROP TABLE a;\nSQL',
      'cat <<SQL | psql shop\nDROP TABLE a;\nSQL',
      "printf 'DROP TABLE a;' | psql",
      'mongosh --eval "db.dropDatabase()"',
      "mongosh <<'JS'\ndb.dropDatabase()\nJS",
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'deny']);
    for (const line of ['psql < drop.sql', 'mongosh --eval "db.drop()"', 'cat <<SQL > a.sql\nDROP TABLE a;\nSQL'])
      expect([line, stops(rule, line)]).toEqual([line, null]);
  });

  it('a line in a line is one too, and a program that only the shell can name is asked about', () => {
    const rule = 'Never run `git push --force`.';
    for (const line of [
      "npx -c 'git push --force'",
      "git $'\\x70ush' --force",
      "$'g\\151t' push --force",
      "git rebase -i main -x 'git push --force'",
      "git -C a rebase --exec='git push --force' main",
      'git submodule foreach --recursive git push --force',
      "git submodule foreach 'git push --force'",
      "watch -n 5 'git push --force'",
      "env -S 'git push --force'",
      "nix-shell -p git --run 'git push --force'",
      `awk 'BEGIN { system("git push --force") }'`,
      'fd -e ts -x git push --force',
      'pnpm -r exec git push --force',
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'deny']);
    for (const line of ['g?t push', '/usr/bin/gi[t] push', '{git,push}'])
      expect([line, stops(rule, line)]).toEqual([line, 'ask']);
    for (const line of ["grep 'git push --force' a", '[ -f a ]', '[[ a > b ]]', "git rebase -x 'npm test' main"])
      expect([line, stops(rule, line)]).toEqual([line, null]);
  });

  it('what is done to a file is no file, nor is what is read', () => {
    const rules = 'Never edit `config`.\n\nNever edit `.env`.\n\nNever edit `data/raw/**`.';
    for (const line of [
      `awk '{ print $1 > "data/raw/ids" }' a`,
      "sed -i '' s/a/b/ .env",
      'sed -i -e s/a/b/ config',
      "yq -i '.a = 1' config",
      'cp a .env',
      'cp .env b/',
      'git apply --directory=data/raw a.patch',
      'pg_dump -f data/raw/a shop',
    ])
      expect([line, stops(rules, line)]).toEqual([line, 'deny']);
    for (const line of [
      "sed -i 's/config/x/' a",
      "perl -pi -e 's/config/x/' a",
      "sed -i -e '/config/d' a",
      'sort < .env > a',
      'while read x; do echo "$x"; done < .env',
      'tee a < .env',
      'cp .env .env.old',
      'gzip -c .env > a.gz',
      '[[ a > config ]]',
    ])
      expect([line, stops(rules, line)]).toEqual([line, null]);
  });

  it('never wins over ask; what can’t be split is asked about where there is a rule about commands', () => {
    const both = 'Ask before running `git`.\n\nNever run `git push`.';
    expect([stops(both, 'git push'), stops(both, 'git log'), stops(both, 'ls')]).toEqual(['deny', 'ask', null]);
    expect([stops(both, '$X'), stops('Never edit `a`.', '$X')]).toEqual(['ask', null]);
  });

  it('what a command writes is an edit: redirections, and the files of rm, mv, sed -i and others, after cd too', () => {
    const rule = 'Never edit `generated/**`.';
    for (const line of [
      'echo x > generated/a',
      'cd generated && touch a',
      'sed -i s/a/b/ generated/a',
      'mv a generated/a',
      'dd of=generated/a',
      'tee generated/a',
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'deny']);
    for (const line of ['cat generated/a', 'cp generated/a b', 'sed s/a/b/ generated/a', 'echo generated/a'])
      expect([line, stops(rule, line)]).toEqual([line, null]);
  });

  it('what comes through its input is a command of a database; a search that deletes is an edit of what it names', () => {
    const rule = 'Never run `sqlite3 "DROP TABLE"`.';
    for (const line of [
      'sqlite3 a.db "drop table if exists x"',
      'echo "DROP TABLE x;" | sqlite3 a.db',
      'sqlite3 a.db <<EOF\nDROP TABLE x;\nEOF',
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'deny']);
    expect(stops(rule, 'echo "DROP TABLE x;" > a.sql; sqlite3 a.db .tables')).toBe(null);
    expect(stops('Never edit `*.snap`.', "find src -name '*.snap' -delete")).toBe('deny');
    expect(stops('Never edit `*.snap`.', "find src -name '*.tmp' -delete")).toBe(null);
  });

  it('a folder goes with all that is in it, and what a shell pattern may name counts as named', () => {
    const rules = 'Never edit `generated/**`.\n\nNever edit `config/prod.yaml`.';
    for (const line of [
      'rm -rf generated',
      'rm -rf generated/',
      'rm -r g*',
      'rm -rf *',
      'rm generated/*',
      'mv generated gen2',
      'mv a generated/',
      'mv -t generated a',
      'cp a generated/',
      'cp -r x/ generated',
      'rsync -a x/ generated/',
      'git rm -r generated',
      'git checkout main -- generated',
      'find generated -delete',
      'curl -o generated/x https://a.b',
      'curl --output=generated/x https://a.b',
      'wget -O generated/x https://a.b',
      'openssl genrsa -out generated/x',
      'tar -xf a.tar -C generated',
      'unzip a.zip -d generated',
      'vim generated/x',
      'rm -rf config',
      'rm config/*',
      'mv config c2',
      'rm -rf {dist,generated}',
      'npx esbuild a.ts --outfile=generated/a.js',
      'protoc --go_out=generated a.proto',
      'npx prettier --write generated',
      'find generated -name a -exec rm {} +',
      'grep -rl foo generated | xargs sed -i s/a/b/',
      'tar xzf a.tgz -C generated',
    ])
      expect([line, stops(rules, line)]).toEqual([line, 'deny']);
    for (const line of [
      'rm -rf dist',
      'rm -rf src/generated2',
      'cp a b',
      'cp -r generated dist',
      'rm config/dev.yaml',
      'cp a config/',
      'ls generated',
      'tar -xf generated/a.tar -C dist',
      'rm *.log',
      'rm conf*.log',
      'prettier --check generated',
      'ln -s generated/a b',
      'tar czf x.tgz -C generated .',
      'git checkout -b generated',
      '(cd generated && ls) && rm a',
      'grep -o a generated/b',
      'find generated -name a | xargs wc -l',
      'scp generated/a web:generated/a',
    ])
      expect([line, stops(rules, line)]).toEqual([line, null]);
  });

  it('a formatter goes through a folder: what it may pass over is asked about, what is named is not', () => {
    const rules = 'Never edit `generated/**`.\n\nNever edit `src/gen/`.\n\nNever edit `*.lock`.';
    const said: [string, 'deny' | 'ask' | null][] = [
      ...['prettier --write .', 'black .', 'prettier --write "**/*.ts"', 'ruff format src'].map(
        (line): [string, 'ask'] => [line, 'ask'],
      ),
      ['prettier --write "generated/**"', 'deny'],
      ['prettier --write generated/a.ts', 'deny'],
      ['prettier --write docs "src/*.ts"', null],
      ['prettier --check .', null],
    ];
    for (const [line, decision] of said) expect([line, stops(rules, line)]).toEqual([line, decision]);
    expect(stops('Never edit `.env` or `*.lock`.', 'prettier --write .')).toBe(null);
  });

  it('a pattern of the shell in a path, the folder of an option and the file of an option count', () => {
    const rule = 'Never edit `generated/**`.';
    for (const line of [
      'echo x > gener?ted/a.ts',
      'echo x > [fg]enerated/a.ts',
      'echo x > $PWD/generated/a.ts',
      'echo x > ${x}generated/a.ts',
      'git -C generated rm a.ts',
      'env -C generated rm a.ts',
      'find . -fprint generated/a.ts',
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'deny']);
    for (const line of ['rm "app/[id]/a.ts"', 'rm gener?ted2/a', 'git -C generated status', 'git -C a rm generated/b'])
      expect([line, stops(rule, line)]).toEqual([line, null]);
    expect(stops('Never edit `app/[id]/**`.', 'rm "app/[id]/a.ts"')).toBe('deny');
  });

  it('a shell that reads a text of the line runs it', () => {
    const rule = 'Never run `git push --force`.';
    for (const line of [
      "sh -ce 'git push --force'",
      "find . -exec sh -ce 'git push --force' \\;",
      "sh -c 'git push $1' x --force",
      "env -S 'git push' --force",
      'env --split-string="git push --force"',
      'bash /dev/stdin <<< "git push --force"',
      '. /dev/stdin <<E\ngit push --force\nE',
      'bash <(echo git push --force)',
      'echo git push --force | (bash)',
      'echo git push --force | { true; bash; }',
      'echo git push --force | bash /dev/stdin',
      'echo git push --force | xargs -I{} bash -c "{}"',
      'echo git push --force | xargs -0 bash -c',
      'echo "push --force" | xargs git',
      'xargs git push <<< --force',
      'cat > s <<E\ngit push --force\nE\nbash s',
      "trap -- 'git push --force' EXIT",
      'echo $(case x in x) git push --force;; esac)',
      'coproc N { git push --force; }',
      'split --filter="git push --force" a',
      `awk 'BEGIN { "git push --force" | getline }'`,
      'vim -es -c "!git push --force"',
      'git {push,--force}',
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'deny']);
    for (const line of ['curl x | (bash)', 'cat a | xargs -I{} bash -c "{}"', 'bash <(curl x)'])
      expect([line, stops(rule, line)]).toEqual([line, 'ask']);
    for (const line of ['bash s', 'bash <<< ls', '. ./env.sh', 'bash "$X/a.sh"', 'cat a | xargs -I{} cp {} b/{}'])
      expect([line, stops(rule, line)]).toEqual([line, null]);
  });

  it('a word that is part unknown is asked about when a rule could match', () => {
    const rule = 'Never run `git push --force`.\n\nNever run `rm -rf /`.';
    for (const line of [
      'git push ${x}--force',
      'git push --${x}force',
      'git push --force$(true)',
      'git push --$x',
      'git push ${x:---force}',
      'git p${x}ush --force',
      'git $x --force',
      'git push$IFS--force',
      'rm -rf "$X/"',
      'rm -$x /',
    ])
      expect([line, stops(rule, line)]).toEqual([line, 'ask']);
    for (const line of [
      'git push origin $x',
      'git push "$x"',
      'git push origin "v$x"',
      'git -C "$x" status --force',
      'git commit -m "$x --force push"',
      'git log "$x"..main',
      'rm -rf "$x/build"',
    ])
      expect([line, stops(rule, line)]).toEqual([line, null]);
  });

  it.each(['rm -rf //', 'rm -rf /*', 'rm -rf /.', 'rm -Rf /', 'rm -rf /'])('the root by other names: %s', (line) =>
    expect([stops('Never run `rm -rf /`.', line), stops('Never run `rm -rf /`.', 'rm -rf /tmp/x')]).toEqual([
      'deny',
      null,
    ]),
  );

  it('a program alone is a pattern, the folder of cd counts once behind a wrapper, and a list of values may start something', () => {
    expect(stops('Never run `killall` or `pkill`.', 'killall node')).toBe('deny');
    expect(stops('Never edit `src/generated/**`.', 'cd src && sudo rm -rf generated')).toBe('deny');
    expect(stops('Never edit `src/generated/**`.', 'xargs cd src; rm -rf generated')).toBe(null);
    expect(stops('Never run `git push --force`.', 'a=($(git push --force))')).toBe('deny');
    expect(stops('Never run `git push --force`.', 'git push <&3 --force')).toBe('deny');
  });

  it('a pattern of many stars takes no longer for it', () => {
    expect(matchesCommand(`${'*a'.repeat(200)}b`, ['a'.repeat(20_000)])).toBe(false);
    expect(matchesPath(`${'**/'.repeat(30)}x`, [`${'a/'.repeat(300)}y`])).toBe(false);
  });
});
