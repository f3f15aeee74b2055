import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export class JsonFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const TOKENS = { '{': 1, '}': 2, '[': 3, ']': 4, ',': 5, ':': 6, end: 17 } as const;
const FAULTS: Readonly<Record<string, string>> = {
  CommaExpected: 'Expected a comma, or the end of what is open.',
  ColonExpected: 'Expected a colon.',
  PropertyNameExpected: 'Expected a "name": a comma stands only between two members.',
  ValueExpected: 'Expected a value: a comma stands only between two values.',
  EndOfFileExpected: 'There is something after the end.',
  InvalidCommentToken: 'Expected a "name" or a value, not a comment.',
  InvalidSymbol: 'This is not a JSON value: names and texts are in double quotes.',
  UnexpectedEndOfNumber: 'This number is not complete.',
};
const IN_STRING = 'This string is not closed, or has a wrong escape.';

// JSON with the place of every key and value, which JSON.parse does not tell. Strict: what JSON.parse refuses is refused.
export function scanJson(text: string, limits: { depth: number; values: number }): Node {
  assertWithin(text, limits);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  if (root && errors.length === 0) return root;
  const isEnd = offset >= text.trimEnd().length;
  throw new JsonFault(offset, isEnd ? 'The file ends too early.' : (FAULTS[printParseErrorCode(error)] ?? IN_STRING));
}

// Before anything goes down into it.
function assertWithin(text: string, limits: { depth: number; values: number }): void {
  const scanner = createScanner(text, true);
  let [depth, values] = [0, 0];
  for (let token: number = scanner.scan(); token !== TOKENS.end; token = scanner.scan()) {
    if (token === TOKENS['}'] || token === TOKENS[']']) depth -= 1;
    // What came before a colon was a name.
    else if (token === TOKENS[':']) values -= 1;
    else if (token !== TOKENS[',']) {
      values += 1;
      const at = scanner.getTokenOffset();
      if (values > limits.values) throw new JsonFault(at, `There are more than ${limits.values} values.`);
      if (depth > limits.depth) throw new JsonFault(at, `Values are nested deeper than ${limits.depth} levels.`);
      if (token === TOKENS['{'] || token === TOKENS['[']) depth += 1;
    }
  }
}
