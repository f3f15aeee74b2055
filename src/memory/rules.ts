/** What a sentence of the person says about commands or files: readable Markdown, patterns in back-ticks. */
export type Rule = ReturnType<typeof rulesIn>[number];

const OPENINGS = [
  { decision: 'deny', about: 'command', words: /^never run\b/i },
  { decision: 'ask', about: 'command', words: /^ask (?:me |first )?before running\b/i },
  { decision: 'deny', about: 'path', words: /^never (?:edit|change|write)\b/i },
  { decision: 'ask', about: 'path', words: /^ask (?:me |first )?before (?:editing|changing|writing)\b/i },
] as const;
const FENCE = /^\s*(?:```|~~~)/;
const MARKER = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const SENTENCE = 300;
const MAX_NOTES = 5;
// One or several: `a`, `b` or `c`. What follows a colon, a stop or another word is the reason.
const PATTERNS =
  /^(?:\s|,|\bor\b|\band\b|\bin\b|\banything\b|\bfiles?\b|\bunder\b|\bbelow\b|\bnor\b|\bnever\b)*`([^`\n]{1,300})`/i;

export function rulesIn(text: string) {
  return sentencesIn(text).flatMap((sentence) => {
    const opening = OPENINGS.find(({ words }) => words.test(sentence));
    if (!opening) return [];
    const patterns: string[] = [];
    let rest = sentence.replace(opening.words, '');
    for (let match = PATTERNS.exec(rest); match; match = PATTERNS.exec(rest)) {
      patterns.push((match[1] as string).trim());
      rest = rest.slice(match[0].length);
    }
    const { decision, about } = opening;
    return patterns.length === 0 ? [] : { decision, about, patterns, sentence: sentence.slice(0, SENTENCE) };
  });
}

// A list item, a line that opens a rule, or the rest of a paragraph, however it is wrapped. What is quoted or fenced says nothing.
function sentencesIn(text: string): string[] {
  const items: string[] = [];
  let fenced = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (FENCE.test(line)) fenced = !fenced;
    if (fenced || FENCE.test(line) || /^\s*>/.test(line)) {
      items.push('');
      continue;
    }
    const said = line.replace(MARKER, '').trim();
    const opens = MARKER.test(line) || said === '' || OPENINGS.some(({ words }) => words.test(said));
    if (opens || items.length === 0) items.push(said);
    else items[items.length - 1] = `${items.at(-1)} ${said}`.trim();
  }
  // Within an item a rule may follow another sentence.
  return items.flatMap((item) => item.split(/(?<=[.!?])\s+(?=(?:Never|Ask)\b)/)).filter((each) => each !== '');
}

/** What a yes to this text starts: one line for each rule in it, before the person decides. */
export function ruleNotes(text: string): string[] {
  const notes = rulesIn(text).map(({ decision, about, patterns }) => {
    const named = patterns.map((pattern) => `\`${pattern}\``).join(', ');
    const does = decision === 'deny' ? 'it will stop' : 'you will be asked before';
    return `This is a rule: ${does} ${about === 'command' ? 'the command' : 'edits of'} ${named}`;
  });
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `and ${more} more rules`] : notes;
}
