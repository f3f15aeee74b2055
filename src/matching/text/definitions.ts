export interface Definition {
  name: string;
  /** Counted from 0. */
  line: number;
}

// A pattern may look twice at each character: long lines are data, not definitions.
const SHORTEST_LINE = 4;
export const LONGEST_LINE = 240;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
const NAME = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';

const LANGUAGES: { files: RegExp; patterns: (string | RegExp)[] }[] = [
  {
    files: CODE,
    patterns: [
      `(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?(?:function\\*?|class|interface|type|enum|namespace)\\s+${NAME}`,
      `(?:export\\s+)?(?:declare\\s+)?(?:const|let|var)\\s+${NAME}`,
      `(?:module\\.)?exports\\.${NAME}\\s*=`,
      `${NAME.replace('(', '(?:').replace(/\)$/, ')')}(?:\\.prototype)?\\.${NAME}\\s*=\\s*(?:async\\s+)?(?:function|\\()`,
      `(?:(?:public|private|protected|static|readonly|override|async|get|set)\\s+)*[#*]?${NAME}\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`,
      `${NAME}\\s*[:=]\\s*(?:async\\s*)?(?:function(?![\\w$\\u0080-\\uffff])|\\([^)]*\\)\\s*(?::[^=]*)?=>)`,
    ],
  },
  {
    files: /\.pyi?$/i,
    patterns: [`(?:async\\s+)?(?:def|class)\\s+${NAME}`, /^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=/u],
  },
  {
    files: /\.go$/i,
    patterns: [`func\\s+(?:\\([^)]*\\)\\s*)?${NAME}`, `(?:type|const|var)\\s+${NAME}`],
  },
  {
    files: /\.rs$/i,
    patterns: [
      `(?:pub(?:\\([^)]*\\))?\\s+)?(?:async\\s+|unsafe\\s+|const\\s+)*(?:fn|struct|enum|trait|mod|type|union|static|const|macro_rules!)\\s+${NAME}`,
      `impl(?:<[^>]*>)?\\s+(?:[\\w:<>]+\\s+for\\s+)?${NAME}`,
    ],
  },
  {
    files: /\.(?:java|kts?|scala|cs|swift|php|dart|groovy)$/i,
    patterns: [
      `(?:(?:public|private|protected|internal|static|final|abstract|open|override|sealed|data|async|suspend|virtual|partial)\\s+)*(?:class|interface|enum|record|struct|trait|object|protocol|extension|namespace|fun|func|function|def|typealias)\\s+${NAME}`,
      `(?:(?:public|private|protected|internal|static|final|abstract|override|async|virtual)\\s+)+[\\w<>\\[\\],.?\\s]{1,60}\\s${NAME}\\s*\\(`,
      // Without a modifier: a constructor, what is visible in its package, \`init\`.
      `(?!new\\s|return\\s|else\\s|throw\\s)(?:[\\w<>\\[\\],.?]{1,60}\\s)?${NAME}\\s*\\([^;=]*\\)[^;=()]*\\{\\s*$`,
    ],
  },
  {
    files: /\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm)$/i,
    patterns: [
      `(?:typedef\\s+)?(?:struct|class|enum|union|namespace)\\s+${NAME}`,
      `#\\s*define\\s+${NAME}`,
      /^[\p{L}_][\p{L}\p{N}_:<>*&\s]{0,60}?[\s*&](?:[\p{L}_][\p{L}\p{N}_<>]*::)*([\p{L}_~][\p{L}\p{N}_]*)\s*\([^;]*$/u,
      // A constructor, a name below its type, and what a class defines inside.
      /^(?:[\p{L}_][\p{L}\p{N}_<>]*::)+([\p{L}_~][\p{L}\p{N}_]*)\s*\([^;]*$/u,
      /^([\p{L}_][\p{L}\p{N}_]*)\s*\([^;(]*\)?\s*\{?$/u,
      /^\s+(?!return\s|else\s|new\s)(?:[\p{L}_][\p{L}\p{N}_:<>*&\s]{0,60}[\s*&])?([\p{L}_~][\p{L}\p{N}_]*)\s*\([^;=]*\)[^;=()]*\{\s*$/u,
    ],
  },
  { files: /\.(?:rb|cr)$/i, patterns: ['(?:def|class|module)\\s+(?:self\\.)?([\\p{L}_][\\p{L}\\p{N}_]*)'] },
  { files: /\.(?:ex|exs)$/i, patterns: ['(?:defp?|defmodule|defmacro)\\s+([\\p{L}_][\\p{L}\\p{N}_.]*)'] },
  { files: /\.lua$/i, patterns: ['(?:local\\s+)?function\\s+([\\p{L}_][\\p{L}\\p{N}_.:]*)'] },
  { files: /\.(?:sh|bash|zsh)$/i, patterns: [`(?:function\\s+)?${NAME}\\s*\\(\\)`] },
  {
    files: /\.sql$/i,
    patterns: [/^\s*create\s+(?:or\s+replace\s+)?\w+\s+(?:if\s+not\s+exists\s+)?([\p{L}_][\p{L}\p{N}_]*)/iu],
  },
];

const KEYWORDS: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with await new throw typeof in of case'.split(' '),
);

const MOST_ENDINGS = 1000;
const byEnding = new Map<string, readonly RegExp[]>();

// Built when a file of the language comes: all of them together take longer than most questions.
function patternsOf(path: string): readonly RegExp[] {
  const ending = path.slice(path.lastIndexOf('.'));
  const known = byEnding.get(ending);
  if (known) return known;
  const sources = LANGUAGES.find(({ files }) => files.test(ending))?.patterns ?? [];
  const patterns = sources.map((source) =>
    typeof source === 'string'
      ? new RegExp(`^\\s*${withRanges(source)}`)
      : new RegExp(withRanges(source.source), source.flags.replace('u', '')),
  );
  if (byEnding.size < MOST_ENDINGS) byEnding.set(ending, patterns);
  return patterns;
}

// Letters of other scripts by their range alone: classes of all scripts take milliseconds to build.
function withRanges(source: string): string {
  return source.replaceAll('\\p{L}', 'A-Za-z\\u0080-\\uffff').replaceAll('\\p{N}', '0-9');
}

// By line and by pattern, not by grammar: any language at no load time, and a broken file still gives its names.
export function definitionsIn(path: string, text: string): Definition[] {
  const patterns = patternsOf(path);
  if (patterns.length === 0) return [];
  return linesIn(text).flatMap((text, line) => {
    const name = definedOn(text, patterns);
    return name === null ? [] : [{ name, line }];
  });
}

function definedOn(line: string, patterns: readonly RegExp[]): string | null {
  if (line.length < SHORTEST_LINE || line.length > LONGEST_LINE) return null;
  for (const candidate of patterns) {
    const name = candidate.exec(line)?.[1];
    if (name !== undefined && !KEYWORDS.has(name)) return name;
  }
  return null;
}

/** Lines end at LF or CRLF; a final line end opens no other. */
export function linesIn(text: string): string[] {
  const lines = text.split(text.includes('\r') ? /\r?\n/ : '\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
