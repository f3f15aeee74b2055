export interface Definition {
  name: string;
  /** Counted from 0. */
  line: number;
}

// A pattern may look twice at each character: long lines are data, not definitions.
const LONGEST_LINE = 240;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
const NAME = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';

interface Language {
  files: RegExp;
  patterns: RegExp[];
}

const LANGUAGES: Language[] = [
  {
    files: CODE,
    patterns: [
      pattern(
        `(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?(?:function\\*?|class|interface|type|enum|namespace)\\s+${NAME}`,
      ),
      pattern(`(?:export\\s+)?(?:declare\\s+)?(?:const|let|var)\\s+${NAME}`),
      pattern(`(?:module\\.)?exports\\.${NAME}\\s*=`),
      pattern(
        `${NAME.replace('(', '(?:').replace(/\)$/, ')')}(?:\\.prototype)?\\.${NAME}\\s*=\\s*(?:async\\s+)?(?:function|\\()`,
      ),
      pattern(
        `(?:(?:public|private|protected|static|readonly|override|async|get|set)\\s+)*[#*]?${NAME}\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`,
      ),
      pattern(`${NAME}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)\\s*(?::[^=]*)?=>)`),
    ],
  },
  {
    files: /\.pyi?$/i,
    patterns: [pattern(`(?:async\\s+)?(?:def|class)\\s+${NAME}`), /^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=/u],
  },
  {
    files: /\.go$/i,
    patterns: [pattern(`func\\s+(?:\\([^)]*\\)\\s*)?${NAME}`), pattern(`(?:type|const|var)\\s+${NAME}`)],
  },
  {
    files: /\.rs$/i,
    patterns: [
      pattern(
        `(?:pub(?:\\([^)]*\\))?\\s+)?(?:async\\s+|unsafe\\s+|const\\s+)*(?:fn|struct|enum|trait|mod|type|union|static|const|macro_rules!)\\s+${NAME}`,
      ),
      pattern(`impl(?:<[^>]*>)?\\s+(?:[\\w:<>]+\\s+for\\s+)?${NAME}`),
    ],
  },
  {
    files: /\.(?:java|kts?|scala|cs|swift|php|dart|groovy)$/i,
    patterns: [
      pattern(
        `(?:(?:public|private|protected|internal|static|final|abstract|open|override|sealed|data|async|suspend|virtual|partial)\\s+)*(?:class|interface|enum|record|struct|trait|object|protocol|extension|namespace|fun|func|function|def|typealias)\\s+${NAME}`,
      ),
      pattern(
        `(?:(?:public|private|protected|internal|static|final|abstract|override|async|virtual)\\s+)+[\\w<>\\[\\],.?\\s]{1,60}\\s${NAME}\\s*\\(`,
      ),
    ],
  },
  {
    files: /\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm)$/i,
    patterns: [
      pattern(`(?:typedef\\s+)?(?:struct|class|enum|union|namespace)\\s+${NAME}`),
      pattern(`#\\s*define\\s+${NAME}`),
      /^[\p{L}_][\p{L}\p{N}_:<>*&\s]{0,60}?[\s*&]([\p{L}_][\p{L}\p{N}_]*)\s*\([^;]*$/u,
    ],
  },
  { files: /\.(?:rb|cr)$/i, patterns: [pattern('(?:def|class|module)\\s+(?:self\\.)?([\\p{L}_][\\p{L}\\p{N}_]*)')] },
  { files: /\.(?:ex|exs)$/i, patterns: [pattern('(?:defp?|defmodule|defmacro)\\s+([\\p{L}_][\\p{L}\\p{N}_.]*)')] },
  { files: /\.lua$/i, patterns: [pattern('(?:local\\s+)?function\\s+([\\p{L}_][\\p{L}\\p{N}_.:]*)')] },
  { files: /\.(?:sh|bash|zsh)$/i, patterns: [pattern(`(?:function\\s+)?${NAME}\\s*\\(\\)`)] },
  {
    files: /\.sql$/i,
    patterns: [/^\s*create\s+(?:or\s+replace\s+)?\w+\s+(?:if\s+not\s+exists\s+)?([\p{L}_][\p{L}\p{N}_]*)/iu],
  },
];

const KEYWORDS = new Set(
  'if for while switch catch return function else do try with await new throw typeof in of case'.split(' '),
);

function pattern(source: string): RegExp {
  return new RegExp(`^\\s*${source}`, 'u');
}

// By line and by pattern, not by grammar: any language at no load time, and a broken file still gives its names.
export function definitionsIn(path: string, text: string): Definition[] {
  const language = LANGUAGES.find((candidate) => candidate.files.test(path));
  if (!language) return [];
  const definitions: Definition[] = [];
  let number = 0;
  for (const line of eachLine(text)) {
    if (line.length > 3 && line.length <= LONGEST_LINE) {
      for (const candidate of language.patterns) {
        const name = candidate.exec(line)?.[1];
        if (name === undefined || KEYWORDS.has(name)) continue;
        definitions.push({ name, line: number });
        break;
      }
    }
    number += 1;
  }
  return definitions;
}

export function* eachLine(text: string): Generator<string> {
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end === -1) {
      if (start < text.length) yield text.slice(start);
      return;
    }
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    start = end + 1;
  }
}
