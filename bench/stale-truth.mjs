// What became of cited code, by others than us: definitions by the parsers of TypeScript and Python, renames by git.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const PYTHON = join(import.meta.dirname, 'stale-truth.py');
const SCRIPT = /\.[cm]?[jt]sx?$/;

export const isCode = (path) => SCRIPT.test(path) || path.endsWith('.py');

export function git(folder, ...args) {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** By path: definitions with their lines and texts; null where the file is not there or broken. */
export function definitionsOf(root, paths) {
  const found = new Map();
  const python = paths.filter((path) => path.endsWith('.py'));
  if (python.length > 0) {
    const input = JSON.stringify(python.map((path) => join(root, path)));
    const { stdout } = spawnSync('python3', [PYTHON], { input, encoding: 'utf8', maxBuffer: 1 << 30 });
    for (const [at, list] of JSON.parse(stdout).entries()) found.set(python[at], list);
  }
  for (const path of paths) if (SCRIPT.test(path)) found.set(path, scriptDefinitions(join(root, path)));
  return found;
}

function scriptDefinitions(file) {
  if (!existsSync(file)) return null;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, name, around) => {
    const qualified = [...around, name];
    const start = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const end = source.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    found.push({ name: qualified.join('.'), start, end, text: node.getText() });
    return qualified;
  };
  const visit = (node, around) => {
    let inside = around;
    if (ts.isVariableStatement(node) && around.length === 0) {
      const name = node.declarationList.declarations[0]?.name;
      if (name && ts.isIdentifier(name)) inside = add(node, name.text, around);
    } else if (ts.isConstructorDeclaration(node)) inside = add(node, 'constructor', around);
    else if (isNamed(node)) inside = add(node, node.name.getText(), around);
    else if (ts.isExpressionStatement(node) && around.length === 0) {
      const name = assignedName(node.expression);
      if (name) inside = add(node, name, around);
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, []);
  return found;
}

function isNamed(node) {
  const kinds = [ts.isFunctionDeclaration, ts.isClassDeclaration, ts.isInterfaceDeclaration, ts.isTypeAliasDeclaration];
  const more = [ts.isEnumDeclaration, ts.isMethodDeclaration, ts.isGetAccessor, ts.isSetAccessor];
  return node.name !== undefined && [...kinds, ...more].some((is) => is(node));
}

// `app.use = function use(fn) {`
function assignedName(node) {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  const { left, right } = node;
  const isWork = ts.isFunctionExpression(right) || ts.isArrowFunction(right);
  return isWork && ts.isPropertyAccessExpression(left) ? left.name.text : null;
}

/** For each commit after `first`: where each file of then has gone, null where it was deleted. */
export function* renames(folder, first, last) {
  const log = git(
    folder,
    'log',
    '--first-parent',
    '--diff-merges=first-parent',
    '--reverse',
    '-M90%',
    '--name-status',
    '--format=commit %H',
    `${first}..${last}`,
  );
  const now = new Map();
  const before = new Map();
  let commit = null;
  for (const line of log.split('\n')) {
    if (line.startsWith('commit ')) {
      if (commit) yield { commit, now };
      commit = line.slice(7);
      continue;
    }
    const [status = '', from = '', to = ''] = line.split('\t');
    if (status.startsWith('R') || status === 'D') {
      const origin = before.get(from) ?? (now.has(from) ? null : from);
      before.delete(from);
      if (origin === null) continue;
      now.set(origin, status === 'D' ? null : to);
      if (status !== 'D') before.set(to, origin);
    }
  }
  if (commit) yield { commit, now };
}
