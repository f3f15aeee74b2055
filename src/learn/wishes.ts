/** What kind of lasting word a sentence is. */
export type WishKind = 'rule' | 'correction' | 'preference';

export interface Wish {
  kind: WishKind;
  /** Its own words say that it holds from then on; any other counts once it was said in several sessions. */
  isLasting: boolean;
  /** As a note would say it: without what addressed one moment. */
  text: string;
}

interface Form {
  kind: WishKind;
  isLasting: boolean;
  form: RegExp;
}

// The first that fits decides. Words like "always" count as an order alone: in the middle of a sentence they describe what a program does.
const FORMS: readonly Form[] = [
  lasting(
    'rule',
    /^(?:always|never(?: ever)?(?! ?mind\b)|(?:do not|don['’]?t) ever)\s+(?!the\b|a\b|been\b|had\b|seen\b|got\b)/,
  ),
  lasting(
    'rule',
    /, (?:and |so |but )?never (?:use|run|do|update|touch|commit|push|edit|delete|change|write|add|ask|put)\b|, always$/,
  ),
  lasting(
    'rule',
    /\b(?:from now on|going forward|for future reference|as a (?:general )?rule(?! of)|in all future \w+)\b/,
  ),
  // Said of the agent, with what it should do then; without it, a complaint.
  lasting(
    'rule',
    /(?=.*\b(?:ask|use|run|make sure|check|update|add|please|always|never|don['’]?t|do not|must|should|need to|write|commit|keep|confirm)\b).*\b(?:whenever|(?:every|each|any) ?time) you\b(?!['’])|\byour?\b.*\b(?:each|every) (?:single )?time$/,
  ),
  lasting(
    'rule',
    /^remember,? (?:that|we|i|i['’]m|you|it['’]?s|(?:our|the|my) \S+ (?:is|are|has|does|doesn['’]?t|can|can['’]?t|uses|needs))\b/,
  ),
  lasting(
    'rule',
    /^(?:you|we|agents?|(?:the )?(?:ai|agent|assistant|cursor|claude|copilot)(?: ai)?) (?:should|must|need to|have to|can|may) (?:always|never)\b/,
  ),
  lasting(
    'preference',
    /^(?:we|i) (?:always|never|only ever) (?:use|want|commit|push|write|run|put|mock|edit|deploy|name|test|merge|import)\b/,
  ),
  lasting(
    'preference',
    /^(?:we|i)(?:['’]d| would| strongly| really| generally| much)* prefer\b.*\b(?:over|to|instead of|rather than|not)\b/,
  ),
  lasting(
    'preference',
    /^(?:we|this (?:project|repo|repository|codebase)) (?:only )?uses? (?:\S+ ){1,6}?(?:not|instead of|rather than|everywhere|for (?:all|everything))\b/,
  ),
  lasting('preference', /^we (?:should not|shouldn['’]?t|do not|don['’]?t) (?:use|commit|mock|hard ?code)\b/),
  lasting(
    'rule',
    /^(?:use|do|keep|put|write|name|avoid|don['’]?t|do not|no|only|i (?:don['’]?t|do not) want)\b.*\b(?:everywhere|for everything|unless i (?:ask|say|tell)\b)/,
  ),
  lasting(
    'correction',
    /^stop (?:add|us|creat|writ|commit|putt|ask|guess|mak|mock|touch|push|generat|over\w+|hard-?cod|remov|delet|chang|edit|try|apologi[sz])ing\b(?!.*\band\b)/,
  ),
  lasting(
    'correction',
    /^(?:as )?i(?: have|['’]ve)?(?: already)? told you (?:(?:many|several|multiple) times |before |already )?(?:not to|never)\b/,
  ),
  weak('correction', /^use\b.*\b(?:not|instead of|rather than)\b|^not \S+, (?:use )?\S+|^\S+, not \S+/),
  weak(
    'rule',
    /^(?:do not|don['’]?t|never|avoid|no need to|there is no need to|make sure|be sure|ensure|only|keep|remember to|try to|use)\b/,
  ),
  weak('preference', /^(?:we|i)(?:['’]d| would| really)* (?:prefer|(?:don['’]?t|do not) (?:want|like|use|allow))\b/),
  weak(
    'rule',
    /\b(?:should|must)(?: not|n['’]?t| always| never| only)\b|\bplease (?:ask|always|never)\b|\bask (?:me|any)\b/,
  ),
];

// What ties a sentence to its day: a question, a report, a thing that was in view, a step of a plan, a measure of one screen.
const OF_THE_DAY: readonly RegExp[] = [
  /[?:…]\s*$|\.\.\.?$|\w\.\.\.|^(?:can|could|would|will|is|are|was|does|did|do you|have you|what|why|how|where|which|who)\b/,
  /\b(?:these|those|here|there['’]s|above|below|following|attached|screenshot|mockup|image|popup|modal)\b|\bthis\b(?! (?:project|repo|repository|codebase|code base)\b)/,
  /^(?:\S+ ){1,4}(?:it|that|them|they)\b(?! (?:is|are|we|you|the)\b)|\b(?:it|that|(?<!ask for )them|the same)[.!]*$/,
  /\b(?:for now|right now|(?<!from )now|yet|today|tomorrow|tonight|currently|at the moment|so far|still|anymore|again|this time|last time|earlier|previous|already)\b/,
  /\b(?:task|step|phase|option|line|lines|issue|ticket|part|question|section|stage|chunk|slice)s? ?#?\d|\s#\w+|\b\d+ ?(?:px|rem|em|pt|%)|\b[A-Z]{1,3}-?\d+\b/i,
  /\b(?:maybe|perhaps|possibly|i think|i guess|probably|seems|looks like|i['’]?m not sure|let['’]?s|haha|lol|such)\b/,
  // What one turn may do, not what all may.
  /^(?:do not|don['’]?t|no need to) (?:write|make|change|implement|code|do|take|start|execute|edit|modify|touch|apply)(?: or \w+)? (?:any|anything|code|changes|actions?)\b/,
  // A program's behaviour, not the agent's.
  /\b(?:users?|customers?|visitors?|players?|buttons?|icons?|headers?|footers?|navbar|sidebar|page|screen|canvas|background|dropdown|tab|chart|table|recommendations?)\b/,
  /^(?:\S+ )?(?:show|display|render|return|appear|open|load|redirect|scroll|hide|highlight)s?\b/,
  /\b(?:was|were|did|didn['’]?t|wasn['’]?t|got|happened|failed|worked|broke|i see|i get|i['’]m getting)\b/,
];
const MOST_IN_TURN = 3;
const FEWEST_WORDS = 4;
const MOST_WORDS = 32;
// What opens a sentence in talk and says nothing in a note.
const ADDRESS =
  /^(?:(?:(?:no|nope|wrong|stop|wait|again|right|sure|great|perfect|good|thanks|thank you|remember|claude|cursor|copilot)(?=\s*[,.!;:–—-])|no(?=\s+(?:use|do|don['’]?t|never|we|you|i|keep|put|only)\b)|(?:ok(?:ay)?|so|and|but|also|well|yes|yeah|hey|please|actually|then|just|oh|hmm+|dude|btw|by the way|important|note(?: that)?|again)\b)[\s,.!:;–—-]*(?:that['’]?s (?:wrong|not right)[\s,.!]*)?)+(?=\S)/i;

/** Every lasting word of a turn. One that is full of them lists what holds for its own task. */
export function wishesIn(turn: string): { sentence: string; wish: Wish }[] {
  const found = ownSentences(turn).flatMap((sentence) => {
    const wish = wishIn(sentence);
    return wish ? [{ sentence, wish }] : [];
  });
  if (found.length <= MOST_IN_TURN) return found;
  return found.map(({ sentence, wish }) => ({ sentence, wish: { ...wish, isLasting: false } }));
}

/** What a sentence asks for in general; null: a question, a report or a task of that day. */
function wishIn(sentence: string): Wish | null {
  const plain = sentence
    .replace(ADDRESS, '')
    .replace(/\s*[!.,;-]+$/u, '')
    .trim();
  const lower = plain.toLowerCase();
  const words = plain.split(' ').length;
  if (words < FEWEST_WORDS || words > MOST_WORDS || isTorn(plain)) return null;
  const fit = FORMS.find(({ form }) => form.test(lower));
  // Said as "remember: …", the rest is the note; the word itself is the sign.
  const isReminder = /^(?:\S+\s)?remember\s*[,:]/i.test(sentence);
  if ((!fit && !isReminder) || OF_THE_DAY.some((form) => form.test(/\?\s*$/.test(sentence) ? `${lower}?` : lower)))
    return null;
  const { kind, isLasting } = fit ?? { kind: 'rule', isLasting: true };
  return { kind, isLasting: isLasting || isReminder, text: `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}.` };
}

// Cut out of something longer: a bracket or a quotation that is not whole.
function isTorn(text: string): boolean {
  const count = (sign: string) => text.split(sign).length - 1;
  return count('(') !== count(')') || count('"') % 2 === 1 || count('`') % 2 === 1;
}

function lasting(kind: WishKind, form: RegExp): Form {
  return { kind, isLasting: true, form };
}

function weak(kind: WishKind, form: RegExp): Form {
  return { kind, isLasting: false, form };
}

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
function ownSentences(text: string): string[] {
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
