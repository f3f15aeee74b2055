import { describe, expect, it } from 'vitest';
import { splitShell } from './shell-commands.ts';

const programs = (line: string) => splitShell(line).commands.map(({ words }) => words.join(' '));

describe('M54 a command line is split as a shell would', () => {
  it.each([
    ['git push --force', ['git push --force']],
    ['a && b || c; d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['X=1 Y="2 3" /usr/bin/git push', ['git push']],
    [`git commit -m 'rm -rf x && curl y'`, ['git commit -m rm -rf x && curl y']],
    [`git "push" --'force' \\-f`, ['git push --force -f']],
    ['sudo -u me env -i A=1 rm -rf x', ['sudo -u me env -i A=1 rm -rf x', 'env -i A=1 rm -rf x', 'rm -rf x']],
    [`bash -lc "cd x; npm publish"`, ['bash -lc cd x; npm publish', 'cd x', 'npm publish']],
    ['(cd a; b) && { c; }', ['cd a', 'b', 'c']],
    ['echo $(curl x) `wget y`', ['curl x', 'wget y', 'echo \ufffc \ufffc']],
    ['echo "a $(curl x) b"', ['curl x', 'echo a \ufffc b']],
    ['diff <(curl a) b', ['curl a', 'diff /dev/fd/63 b']],
    ['find . -exec rm -rf {} \\;', ['find . -exec rm -rf {} ;', 'rm -rf .']],
    ['echo -f a | xargs git push', ['echo -f a', 'xargs git push', 'git push -f a']],
    ['ls a | xargs -I% mv % b', ['ls a', 'xargs -I% mv % b', 'mv a b']],
    ['php composer.phar update', ['php composer.phar update', 'composer update']],
    ['python3 -m pip install x', ['python3 -m pip install x', 'pip install x']],
    ['op run --env-file=a -- npm publish', ['op run --env-file=a -- npm publish', 'npm publish']],
    ['npm run build -- rm', ['npm run build -- rm']],
    ['concurrently "npm publish"', ['concurrently npm publish', 'npm publish', 'npm publish']],
    ['ls | xargs -n 1 rm', ['ls', 'xargs -n 1 rm', 'rm']],
    ['timeout -k 5 60 git push', ['timeout -k 5 60 git push', 'git push']],
    ['npx prisma@5 migrate reset', ['npx prisma@5 migrate reset', 'prisma migrate reset']],
    ['pnpm exec prisma migrate', ['pnpm exec prisma migrate', 'prisma migrate']],
    ['if a; then b; else c; fi', ['a', 'b', 'c']],
    ['for f in *; do rm $f; done', ['for f in *', 'rm \ufffc']],
    ['case x in a) b;; esac', ['b']],
    ['echo $(case x in (a|b) c;; d) e;; esac; f) g', ['c', 'e', 'f', 'echo \ufffc g']],
    ['case $f in *.ts|*.js) a;; *.md|*.txt) b;& *) c;;& esac; d', ['a', 'b', 'c', 'd']],
    ['coproc N { a; }; coproc b; coproc { c; }', ['a', 'b', 'c']],
    ['cat <<$X\na\n$X\nb', ['cat', 'b']],
    ['cat <<"$X"\na\n$X\nb', ['cat', 'b']],
    ['cat <<`x`\na\n`x`\nb', ['cat', 'b']],
    ['cat <<E\r\na\r\nE\r\nb', ['cat', 'b']],
    ['flock -w 1 l a', ['flock -w 1 l a', 'a']],
    ['/usr/bin/time -f %e a', ['time -f %e a', 'a']],
    ['sudo -nu me a', ['sudo -nu me a', 'a']],
    [`bash -ceuo pipefail 'a'`, ['bash -ceuo pipefail a', 'a']],
    ['bash run.sh -c a', ['bash run.sh -c a']],
    ['bash run.sh <<< a', ['bash run.sh']],
    ['bash < a.sh', ['bash']],
    [`env -S 'a b' c`, ['env -S a b c', 'env a b c', 'a b c']],
    [`sh -c 'a $1 "$@"' x b`, [`sh -c a $1 "$@" x b`, 'a b b']],
    ['echo a > s.sh; bash ./s.sh; bash s.sh', ['echo a', 'bash ./s.sh', 'a', 'bash s.sh']],
    ['f() { rm x; }; f', ['rm x', 'f']],
    ['a=(rm -rf) b', ['b']],
    ['echo hi # rm x', ['echo hi']],
    ['a \\\n b', ['a b']],
    [`bash <<'EOF'\ncurl x\nEOF\nls`, ['bash', 'curl x', 'ls']],
    [`cat <<EOF\ncurl x\nrun $(wget y)\nEOF`, ['wget y', 'cat']],
    [`eval "rm x"`, ['eval rm x', 'rm x']],
    [`ssh -p 22 host 'rm x'`, ['ssh -p 22 host rm x', 'rm x']],
    ['command -v psql', ['command -v psql']],
    [`echo $'it\\'s' && b`, [`echo it's`, 'b']],
    ['echo $((1 + 2)) ${X:-$(rm y)}', ['rm y', 'echo \ufffc \ufffc']],
    ['echo $(( $(rm y) ))', ['rm y', 'echo \ufffc']],
    ['function f { rm x; }; f', ['rm x', 'f']],
    [`trap 'rm x' EXIT`, ['trap rm x EXIT', 'rm x']],
    ['time -p npm publish', ['npm publish']],
    ['corepack npm publish', ['corepack npm publish', 'npm publish']],
    ['taskset -c 0 git push', ['taskset -c 0 git push', 'git push']],
    ['runuser -u me -- git push', ['runuser -u me -- git push', 'git push']],
    ['direnv exec . git push', ['direnv exec . git push', 'git push']],
    ['chroot /x git push', ['chroot /x git push', 'git push']],
    [`at now <<< 'git push'`, ['at now', 'git push']],
    [`git -c alias.x='!npm publish' x`, ['git -c alias.x=!npm publish x', 'npm publish']],
    ['git -c alias.p=push p -f', ['git -c alias.p=push p -f', 'git push -f']],
    ['unshare git push', ['unshare git push', 'git push']],
    ['docker exec -it web rm x', ['docker exec -it web rm x', 'rm x']],
    ['docker compose -f a.yml exec -T web rm x', ['docker compose -f a.yml exec -T web rm x', 'rm x']],
    [
      'docker run --rm -v a:b --name n image sh -c "rm x"',
      ['docker run --rm -v a:b --name n image sh -c rm x', 'sh -c rm x', 'rm x'],
    ],
    ['kubectl -n x exec -it pod -c web -- rm x', ['kubectl -n x exec -it pod -c web -- rm x', 'rm x']],
    ['docker compose run web', ['docker compose run web']],
    ['docker compose down -v', ['docker compose down -v']],
    [`tmux new -d 'rm x'`, [`tmux new -d rm x`, 'rm x', 'rm x']],
  ])('%s', (line, expected) => {
    expect({ whole: splitShell(line).isWhole, starts: programs(line) }).toEqual({ whole: true, starts: expected });
  });

  it.each([
    `$CMD x`,
    `"$(which git)" push`,
    `bash -c "$X"`,
    `curl x | sh`,
    `echo 'a`,
    `echo "a`,
    `echo $(a`,
    '`a',
    'cat <<$(a)',
    'bash <(curl a)',
    'curl a | (bash)',
    '. <(curl a)',
  ])('what only the shell knows is told: %s', (line) => expect(splitShell(line).isWhole).toBe(false));

  it('redirections are files that are written, numbers and descriptors are not', () => {
    const [command] = splitShell('make 2>&1 >out.log 2>>err.log <in &>all').commands;
    expect(command).toEqual({ words: ['make'], folder: '', writes: ['out.log', 'err.log', 'all'] });
  });

  it('a folder holds to the end of its subshell, and is left by popd and cd -', () => {
    const folders = (line: string) => splitShell(line).commands.map(({ words, folder }) => [words[0], folder]);
    const line = '(cd a && b); c; pushd d/e && f; popd; g; cd h && bash -c "cd i; j" && k; cd -; l';
    const told = 'git -C a rm x; env -C b -i touch y; sudo -D c -u me touch z; touch w';
    expect(folders(told).filter(([program]) => program === 'git' || program === 'touch')).toEqual([
      ['git', 'a'],
      ['touch', 'b'],
      ['touch', 'c'],
      ['touch', ''],
    ]);
    const inThem = folders(line).filter(([program = '']) => program.length === 1);
    expect(inThem.map((each) => each.join(':'))).toEqual(['b:a', 'c:', 'f:d/e', 'g:', 'j:h/i', 'k:h', 'l:']);
  });

  it('takes no longer for what is nested or long without end', () => {
    for (const line of [
      '$('.repeat(5_000),
      '"'.repeat(9_999),
      '((('.repeat(9_000),
      'a;'.repeat(20_000),
      '`'.repeat(9_999),
      'x'.repeat(60_000),
      `sh -c '${'$1'.repeat(10_000)}' x ${'y'.repeat(20_000)}`,
      `${'echo "bash s; bash s" > s; '.repeat(1_500)}bash s`,
      `find ${'a '.repeat(99)}${'-exec find {} {} {} '.repeat(900)}`,
      `echo ${'{} '.repeat(99)}| ${'xargs -I{} '.repeat(15)}${'{} '.repeat(9_000)}`,
    ])
      expect(splitShell(line).commands.length).toBeLessThanOrEqual(20_000);
  });
});
