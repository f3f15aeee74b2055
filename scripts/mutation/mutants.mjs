// The small faults that a text of code can have: each a piece of it and what stands there instead.
import ts from 'typescript';

const { SyntaxKind } = ts;
const OPPOSITES = new Map([
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['/']],
  [SyntaxKind.SlashToken, ['*']],
  [SyntaxKind.PercentToken, ['*']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.QuestionQuestionToken, ['&&']],
]);

export function mutantsOf(text) {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found = [];
  const add = (node, after, kind = 'expression') => {
    const start = node.getStart(source);
    const before = text.slice(start, node.end);
    if (before === after) return;
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({ start, end: node.end, before, after, kind, line: line + 1, text: lines[line].trim() });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const left = text.slice(node.left.getStart(source), node.left.end);
      const right = text.slice(node.right.getStart(source), node.right.end);
      // Texts are joined with + as well; taking one part from the other only gives noise.
      const joinsTexts = node.operatorToken.kind === SyntaxKind.PlusToken && /['"`]/.test(left + right);
      // A mixture of ?? and && needs brackets.
      if (!joinsTexts)
        for (const operator of OPPOSITES.get(node.operatorToken.kind) ?? [])
          add(node, `(${left}) ${operator} (${right})`);
    } else if (ts.isConditionalExpression(node)) {
      const condition = text.slice(node.condition.getStart(source), node.condition.end);
      add(node.condition, `!(${condition})`);
    } else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
      const condition = text.slice(node.expression.getStart(source), node.expression.end);
      add(node.expression, ts.isIfStatement(node) ? 'true' : `!(${condition})`);
      add(node.expression, 'false');
    } else if (node.kind === SyntaxKind.TrueKeyword) add(node, 'false');
    else if (node.kind === SyntaxKind.FalseKeyword) add(node, 'true');
    else if (ts.isNumericLiteral(node) && isValue(node)) add(node, `(${node.text} + 1)`);
    else if (ts.isStringLiteral(node) && isValue(node)) add(node, node.text === '' ? '"mutant"' : '""');
    else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      add(node, text.slice(node.operand.getStart(source), node.operand.end));
    else if (ts.isExpressionStatement(node) && !ts.isAwaitExpression(node.expression)) add(node, '', 'statement');
    else if (ts.isRegularExpressionLiteral(node)) for (const after of regexFaults(node.text)) add(node, after);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

// Sentences for people are no behaviour, names of keys are no values.
function isValue(node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isLiteralTypeNode(parent) || ts.isEnumMember(parent) || ts.isElementAccessExpression(parent)) return false;
  if (ts.isStringLiteral(node) && / .* /.test(node.text)) return false;
  return !(ts.isNewExpression(parent) && /Error|Refusal/.test(parent.expression.getText()));
}

function regexFaults(text) {
  const faults = [];
  if (text.startsWith('/^')) faults.push(`/${text.slice(2)}`);
  const end = text.lastIndexOf('/');
  if (text[end - 1] === '$' && text[end - 2] !== '\\') faults.push(text.slice(0, end - 1) + text.slice(end));
  if (text.slice(end).includes('i')) faults.push(text.slice(0, end) + text.slice(end).replace('i', ''));
  return faults;
}

// The text with all of its faults in it, each behind a switch.
export function withSwitches(text, mutants) {
  const inserts = mutants.flatMap(({ id, start, end, after, kind }) =>
    kind === 'statement'
      ? [
          // In braces of its own, so that no `else` behind it changes its owner.
          { at: start, text: `{if (!globalThis.__fault(${id})) {`, closes: false, id, length: end - start },
          { at: end, text: '}}', closes: true, id, length: end - start },
        ]
      : [
          { at: start, text: `(globalThis.__fault(${id}) ? (${after}) : (`, closes: false, id, length: end - start },
          { at: end, text: '))', closes: true, id, length: end - start },
        ],
  );
  // Longer pieces open first and close last; of two faults at the very same piece the later one stands inside.
  inserts.sort(
    (a, b) =>
      a.at - b.at ||
      b.closes - a.closes ||
      (a.closes ? a.length - b.length || b.id - a.id : b.length - a.length || a.id - b.id),
  );
  let switched = '';
  let done = 0;
  for (const { at, text: inserted } of inserts) {
    switched += text.slice(done, at) + inserted;
    done = at;
  }
  return switched + text.slice(done);
}
