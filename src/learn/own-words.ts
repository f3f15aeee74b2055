const FENCE = /^\s*(?:```|~~~)/;
const TAGGED = /<([a-z][\w-]*)\b[^>]*>[\s\S]*?<\/\1>/gi;
const QUOTED = /(["“”])(?:(?!\1)[^"“”\n]){40,}(?:\1|”)/g;
// Logs, code, traces, tables, prompts of a shell, Markdown that somebody laid out: pasted, not typed.
const PASTED =
  /^\s{4,}\S|^\t|^\s*(?:>|\||#{1,6}\s|[$%#]\s|at\s+\S+\s*\(|File "|\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:error|warning|warn|info|debug|traceback)\b\s*[:[(]|\*\*|[{}[\]();<]|\/\/|\/\*|import\s|const\s|let\s|def\s|class\s|function\s|export\s|return\b|@@|[+-]{3}\s)|[;{]\s*$|=>|<\/\w|https?:\/\/\S{60,}|\(use "git /i;
const MOST_CHARS = 1_500;
const MOST_LINES = 20;
const MOST_BULLETS = 5;
const SHORTEST = 12;
const LONGEST = 280;

/** The sentences of a turn that a person likely typed, one by one; none of what was pasted. */
export function ownSentences(text: string): string[] {
  const lines = typedLines(text.replace(TAGGED, '\n'));
  // A text so long, or laid out with headings and lists, was written elsewhere: a specification, a template, another agent's answer.
  const headings = text.match(/^\s*#{1,6}\s/gm)?.length ?? 0;
  const bullets = lines.filter((line) => /^\s*(?:[-*•]|\d+[.)])\s/.test(line)).length;
  const isLaidOut = headings > 1 || bullets > MOST_BULLETS || lines.length > MOST_LINES;
  if (isLaidOut || lines.join('\n').length > MOST_CHARS) return [];
  return lines
    .flatMap((line) =>
      line
        .replace(QUOTED, '…')
        .split(/(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs)\.)\s+(?=[\p{L}"'`@])|\s+[-–—]{1,2}\s+(?=no\b|not\b|don)|;\s+/iu),
    )
    .map((sentence) =>
      sentence
        .replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(({ length }) => length >= SHORTEST && length <= LONGEST)
    .filter(isProse);
}

function typedLines(text: string): string[] {
  let isFenced = false;
  return text.split(/\r\n|\n|\r/).filter((line) => {
    if (FENCE.test(line)) isFenced = !isFenced;
    return !isFenced && !FENCE.test(line) && line.trim() !== '' && !PASTED.test(line);
  });
}

// Mostly words, and at least three of them.
function isProse(sentence: string): boolean {
  const letters = sentence.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters / sentence.length > 0.75 && (sentence.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3;
}
