// Counts how often each block of a bundle runs: `__blocks[n]++` at the start of every function, branch, loop and arm.
import ts from 'typescript';

export function instrument(code) {
  const source = ts.createSourceFile('bundle.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const inserts = [];
  let blocks = 0;
  const count = () => `__blocks[${blocks++}]++`;
  const add = (at, text, closes = false) => inserts.push({ at, text, closes, order: inserts.length });
  const wrap = (node, open, close) => {
    add(node.getStart(source), open);
    add(node.end, close, true);
  };
  const statement = (node) => {
    if (!node) return;
    if (ts.isBlock(node)) add(node.getStart(source) + 1, `${count()};`);
    else wrap(node, `{${count()};`, '}');
  };
  const expression = (node) => wrap(node, `(${count()},`, ')');

  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      if (ts.isBlock(node.body)) statement(node.body);
      else expression(node.body);
    } else if (ts.isIfStatement(node)) {
      statement(node.thenStatement);
      statement(node.elseStatement);
    } else if (ts.isIterationStatement(node, false)) statement(node.statement);
    else if (ts.isCaseOrDefaultClause(node)) add(node.statements.pos, `${count()};`);
    else if (ts.isCatchClause(node)) statement(node.block);
    else if (ts.isConditionalExpression(node)) {
      expression(node.whenTrue);
      expression(node.whenFalse);
    } else if (ts.isBinaryExpression(node) && ARMS.has(node.operatorToken.kind)) expression(node.right);
    ts.forEachChild(node, visit);
  };
  visit(source);

  // At one place what closes comes first, inner before outer; what opens stands outer before inner.
  inserts.sort((a, b) => a.at - b.at || b.closes - a.closes || (a.closes ? b.order - a.order : a.order - b.order));
  let text = '';
  let done = 0;
  for (const { at, text: inserted } of inserts) {
    text += code.slice(done, at) + inserted;
    done = at;
  }
  return { code: `const __blocks = globalThis.__blocks;\n${text}${code.slice(done)}`, blocks };
}

const ARMS = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);
