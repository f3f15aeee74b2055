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

export interface Language {
  files: RegExp;
  patterns: RegExp[];
  /** The same for lines of plain ASCII: without the letters of all scripts they are built in no time. */
  plainPatterns: RegExp[];
}

const BEYOND_ASCII = /[^\0-\x7f]/;

const SOURCES: (Omit<Language, 'patterns' | 'plainPatterns'> & { patterns: (string | RegExp)[] })[] = [
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

// Built when a file of the language comes: all of them together take longer than most questions.
const LANGUAGES: Language[] = SOURCES.map(({ patterns: sources, ...rest }) => {
  let [built, plain]: [RegExp[]?, RegExp[]?] = [];
  return {
    ...rest,
    get patterns() {
      built ??= sources.map((source) => (typeof source === 'string' ? new RegExp(`^\\s*${source}`, 'u') : source));
      return built;
    },
    get plainPatterns() {
      plain ??= sources.map((source) =>
        typeof source === 'string'
          ? new RegExp(`^\\s*${plainSource(source)}`)
          : new RegExp(plainSource(source.source), source.flags.replace('u', '')),
      );
      return plain;
    },
  };
});

// All of ASCII that is a letter or a number of any script.
function plainSource(source: string): string {
  return source.replaceAll('\\p{L}', 'A-Za-z').replaceAll('\\p{N}', '0-9');
}

const MOST_ENDINGS = 1000;
const byEnding = new Map<string, Language | null>();

export function languageOf(path: string): Language | null {
  const ending = path.slice(path.lastIndexOf('.'));
  let language = byEnding.get(ending);
  if (language === undefined) {
    language = LANGUAGES.find((candidate) => candidate.files.test(ending)) ?? null;
    if (byEnding.size < MOST_ENDINGS) byEnding.set(ending, language);
  }
  return language;
}

// By line and by pattern, not by grammar: any language at no load time, and a broken file still gives its names.
export function definitionsIn(path: string, text: string): Definition[] {
  const language = languageOf(path);
  if (!language) return [];
  const definitions: Definition[] = [];
  const isPlain = !BEYOND_ASCII.test(text);
  for (const [number, line] of linesIn(text).entries()) {
    const name = definedOn(line, isPlain || !BEYOND_ASCII.test(line) ? language.plainPatterns : language.patterns);
    if (name !== null) definitions.push({ name, line: number });
  }
  return definitions;
}

export function definedOn(line: string, patterns: readonly RegExp[]): string | null {
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
