// Deeper than any policy. The parser recurses: past some hundred levels it answers with raw system text, or ends the process.
const MAX_NESTING = 50;

// The first line that nests too deep, by its indent and markers or by brackets; null where none does.
export async function deepYamlLine(text: string): Promise<number | null> {
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const lead = /^[ \t]*(?:[-?:][ \t]+)*/.exec(line)?.[0] ?? '';
    if (lead.length > MAX_NESTING && line.length > lead.length) return index + 1;
  }
  const brackets = text.match(/[[{]/g)?.length ?? 0;
  return brackets > MAX_NESTING ? deepBracket(text) : null;
}

// The lexer knows which brackets are in texts and comments, and does not recurse.
async function deepBracket(text: string): Promise<number | null> {
  const { Lexer } = await import('yaml');
  let [depth, line] = [0, 1];
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return line;
    line += token.match(/\n/g)?.length ?? 0;
  }
  return null;
}
