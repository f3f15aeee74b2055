/** What kind of lasting word a sentence is. */
export type WishKind = 'rule' | 'correction' | 'preference';

export interface Wish {
  kind: WishKind;
  /** 1: its own words say that it holds from then on; 0: it counts once it was said on several days. */
  lasts: 0 | 1;
  /** As a note would say it: without what addressed one moment. */
  text: string;
  /** Asked for in ever other words: all that has this text is one. */
  isRoutine?: boolean;
}

interface Form {
  kind: WishKind;
  isLasting: boolean;
  form: RegExp;
}

const NOT = "(?:do not|don['’]?t|dont)";
const ORDER = `(?:ask|use|run|make sure|check|update|add|please|always|never|${NOT}|must|should|need to|write|commit|keep|confirm|follow|tell|avoid|stop|fix|no)`;
const NAME = '[\\w@./+-]+';
// The first that fits decides. Words like "always" count as an order alone: in the middle of a sentence they describe what a program does.
const FORMS: readonly Form[] = [
  ...lasting('rule', [
    `^(?:(?:please |also )*(?:make|be) sure (?:to |you |we |that you |that we )|you (?:should|must|need to|have to) )?(?:always|never(?: ever)?(?! ?mind\\b)|${NOT} ever)\\s+(?!(?:the|a|an|been|had|seen|got|only|show|display|stretch|visible|in|on|at|to|more|less|than|true|false)\\b)(?!\\w+[^su]s\\b)(?=[a-z\`@])`,
    ', (?:and |so |but )?never (?:use|run|do|update|touch|commit|push|edit|delete|change|write|add|ask|put)\\b|, always$',
    '\\b(?:from now on|going forward|for future reference|as a (?:general )?rule(?! of)|in all future \\w+)\\b',
    // Said of the agent, with what it should do then; without it, a complaint.
    `^(?!(?:we|i|it|they|that)['’]|(?:i|it|they|he|she)\\b)(?=.*\\b${ORDER}\\b).*\\b(?:whenever|(?:every|each|any) ?time) (?:you|we)\\b(?!['’])|\\byour?\\b.*\\b(?:each|every) (?:single )?time$`,
    `^(?=.*\\b${ORDER}\\b).*\\b(?:after|before|with|for) (?:each|every|any) (?:[\\w-]+ ){0,2}(?:changes?|edits?|fix|commits?|push|(?:sub-?)?task|feature|session|release|pull request|pr)\\b`,
    `^(?:(?:please|also|make sure to|you (?:should|must)) )*(?:run|re-?run|test|check|ask|tell|verify|build|lint|format)\\b.*\\b(?:after making changes|before (?:you )?(?:commit|push|claim|say|edit)(?:ting|ing)?\\b)`,
    '^(?:you|we|agents?|(?:the )?(?:ai|agent|assistant|cursor|claude|copilot)(?: ai)?) (?:should|must|need to|have to|can|may) (?:always|never)\\b',
    '^(?!(?:he|she|it|they)\\b).*\\b(?:should|must) (?:always use|never)\\b',
    `^next time\\b.*\\b${ORDER}\\b|(?:^|[-–,] )as always,? (?!(?:the|it|i|we|you|this|that|there|thanks|great|a)\\b)[a-z]`,
    '^(?:for|when|if|in) [^,]+, (?:you|we|i) (?:should |must )?(?:always|never)\\b',
    `^(?:${NOT}|no need to|never) ask (?:me )?(?:for )?(?:permission|confirmation|approval)\\b`,
    '^no more (?:[\\w-]+ ){1,3}(?:unless|without)\\b',
    `^(?:use|do|keep|put|write|name|avoid|${NOT}|no|only|i ${NOT} want|(?:we|you) (?:must|should))\\b.*\\bunless i (?:ask|say|tell)\\b`,
    `^(?:${NOT}|never|no) .*\\bwithout (?:ask|consult|check|read|test|discuss|my|me\\b|permission|approval)`,
    // The person has it written down for every session.
    '^(?:.* )?(?:add|edit|create|write|make|update|put)\\b.*\\b(?:rules?|claude\\.md|agents\\.md|\\.cursorrules|copilot-instructions)\\b.*\\b(?:always|never)\\b',
    '^no .*\\bever\\b',
    '^(?:only )?one [\\w/ -]+ per (?:file|commit|pr|test|class|module|turn|message)\\b',
  ]),
  ...lasting('preference', [
    '^(?:we|i) (?:always|never|only ever) (?:use|want|commit|push|write|run|put|mock|edit|deploy|name|test|merge|import)\\b',
    "^(?:(?:we|i)(?:['’]?d| would| strongly| really| generally| much)* )?prefer\\b.*\\b(?:over|instead of|rather than|not)\\b",
    '^(?:we|this (?:project|repo|repository|codebase)) (?:only )?uses? (?:\\S+ ){1,6}?(?:not|instead of|rather than|everywhere|for (?:all|everything))\\b',
    `^we (?:should not|shouldn['’]?t|${NOT}) (?:use|commit|mock|hard ?code)\\b`,
  ]),
  ...lasting('correction', [
    `^stop (?:(?:add|us|creat|writ|commit|putt|ask|guess|mak|mock|touch|push|generat|over\\w+|hard-?cod|remov|delet|chang|edit|try|apologi[sz]|ignor|repeat|invent|assum)ing)\\b(?!.*\\band\\b)`,
    "^(?:as )?i(?: have|['’]?ve)?(?: already| just)? (?:told you|said) (?:(?:many|several|multiple) times |before |already )?(?:not to|never|no)\\b",
    // One word in place of another, and nothing else: a tool's name.
    `^(?:(?:\\w+ )?uses?|run (?:it |them )?with|let['’]?s use|switch to) ${NAME},? (?:(?:and )?not|instead of|rather than) ${NAME}$|^${NAME}, not ${NAME}$`,
    '\\byou (?:need to|should|must|have to) use\\b.*\\b(?:not|instead of|rather than)\\b',
  ]),
  ...weak('rule', [
    `^(?:${NOT}|never|avoid|no need to|there is no need to|make sure|be sure|ensure|only (?:use|do|add|change|commit|run|create|write|edit|make|touch)|keep|remember to|try to|use|stop \\w+ing)\\b`,
    `^(?:(?:if|when|whenever|before|after) (?:you|we|a|an|any\\w*|the tests?|\\w+ing)\\b.*, (?:(?:please|then|you should|you must) )*${ORDER}\\b|for .*, i want)|^(?:all|every|each) .*\\b(?:should|must)\\b`,
    "^(?!it\\b|that\\b).*\\b(?:should|must)(?: not|n['’]?t| always| never| only)\\b|\\bplease (?:always|never)\\b|^(?:(?:when|if|for|in|while) .*, (?:please )?)?(?:remember|keep in mind)\\b",
  ]),
  ...weak('preference', [
    `^(?:we|i)(?:['’]?d| would| really)* (?:prefer|like to avoid|want to avoid|${NOT} (?:want|like|use|allow|need))\\b`,
    "\\bi(?:['’]?ll| will| want to|['’]?d rather)? (?:always )?(?:run|start|restart|test|commit|push|deploy|install|merge)\\b.*\\bmyself\\b",
  ]),
];

// What people ask for with nearly every change, each time in other words: one wish, once they came back to it often.
const ROUTINES: readonly { text: string; form: RegExp }[] = [
  routine('Run the tests after a change.', '(?:re-?)?run (?:all |the |our |unit )*tests?'),
  routine('Write a test for what you change.', '(?:write|add|create|include) (?:an? |some |unit |more |new )*tests?'),
  routine('Keep the changelog current.', 'updat(?:e|ing) (?:\\S+ ){0,3}change-?log'),
  routine('Keep the documentation current.', 'update (?:\\S+ ){0,3}(?:docs?|documentation|readme(?:\\.md)?)'),
  {
    text: 'Ask when something is unclear.',
    form: /^(?!feel free).*\bask (?:me )?(?:(?:any|some|for|clarifying|further|additional|more|follow-?up) )*(?:questions?|clarification)\b|\bany questions,? (?:please )?ask\b|\b(?:unsure|not sure|uncertain|unclear|doubt|clarity)\b.*\bask\b/,
  },
  {
    text: 'Do only what was asked for, and add nothing else.',
    form: /\bi (?:did not|didn['’]?t|never) ask(?:ed)? (?:you )?(?:for|to)\b|\byou added\b.*\bi (?:did not|didn['’]?t) (?:ask|mention|want)\b/,
  },
];

// Says in so many words that it holds from then on: what else ties a sentence to its day counts less then.
const SAYS_SO =
  /\b(?:from now on|going forward|for future reference|as a (?:general )?rule(?! of)|in all future|next time)\b/;
// Limits of the task that its message is about.
const OF_ONE_TASK =
  /\b(?:unti?l+ further notice|for the time being|(?:in|for|during) this (?:session|task|audit|review|chat|turn)|(?:read|reorg|review|audit|analysis|planning|docs)[ -]only)\b/;
// A question, a sentence that was cut off, and one that points at another.
const UNCLEAR: readonly RegExp[] = [
  // Tells what the person will do.
  /\b(?:from now on|going forward|next time),? (?:i|we)(?:['’](?:m|re|ll)| am| are| will)\b/,
  /[?:…]\s*$|\.\.\.?$|\w\.\.\.|^(?:can|could|would|will|is|are|was|does|did|do you|have you|what|why|how|where|which|who)\b|^don['’]?t (?:we|you|i|they)\b/,
  /^(?:\S+ ){1,4}(?<!\brules? )(?:it|that|them|they)\b(?! (?:is|are|we|you|the|rule)\b)|\b(?:(?<!ing |ask for )it|this|that|(?<!ask for )them|the same)(?: again)?[.!]*$|\bthis\b(?! (?:project|repo|repository|codebase|code base)\b)(?! myself)/,
];
// What ties a sentence to its day: a report, a thing that was in view, a step of a plan, a measure of one screen.
const OF_THE_DAY: readonly RegExp[] = [
  /\b(?:these|those|here|there['’]s|above|below|following|attached|screenshot|mockup|image|popup|modal)\b|\b(?:we|you|i) just\b/,
  /\b(?:for now|right now|(?<!from )now|yet|today|tomorrow|tonight|currently|at the moment|so far|still|rn|anymore|again|this time|last time|earlier|previous|already)\b/,
  /\b(?:task|step|phase|option|line|lines|issue|ticket|part|question|section|stage|chunk|slice)s? ?#?\d|\s#\w+|\b\d+ ?(?:px|rem|em|pt|%)|\b[A-Z]{1,3}-?\d+\b/i,
  /\b(?:maybe|perhaps|possibly|i guess|probably|presumably|seems|looks like|i['’]?m not sure|haha|lol|such)\b/,
  // What one turn may do, not what all may.
  /^(?:do not|don['’]?t|no need to) (?:write|make|change|implement|code|do|take|start|execute|edit|modify|touch|apply)(?: or \w+)? (?:any|anything|code|changes|actions?)\b(?!.*\bwithout\b)/,
  // A program's behaviour, not the agent's.
  /(?<!@)\b(?:users?|customers?|visitors?|players?|buttons?|icons?|headers?|footers?|navbar|sidebar|page|screen|canvas|background|dropdown|tab|chart|table|recommendations?)\b|\b(?:app|game|site|website|program|system) (?:should|must)/,
  /^(?:\S+ )?(?:show|display|render|return|appear|open|load|redirect|scroll|hide|highlight)s?\b/,
  /\b(?:is|are|all|properly|fully|correctly) (?:(?:all|properly|fully|correctly) )*(?:set ?up|functioning|functional|working|connected|wired|integrated)\b/,
  /\b(?:was|were|did|didn['’]?t|wasn['’]?t|got|happened|failed|worked|broke|i see|i get|i['’]m getting)\b/,
];
const MOST_IN_TURN = 3;
const FEWEST_WORDS = 3;
const MOST_WORDS = 32;
// What opens a sentence in talk and says nothing in a note.
const ADDRESS =
  /^(?:(?:(?:no|nope|wrong|stop|wait|again|right|sure|great|perfect|good|thanks|thank you|remember|claude|cursor|copilot)(?=\s*[,.!;:–—-])|no(?=\s+(?:use|do|don['’]?t|never|we|you|i|keep|put|only)\b)|(?:ok(?:ay)?|so|and|but|also|well|i think|i repeat|let['’]?s|yes|yeah|hey|please|actually|then|just|oh|hmm+|dude|sorry|btw|by the way|important|note(?: that)?|again)\b)[\s,.!:;–—-]*(?:that['’]?s (?:wrong|not right)[\s,.!]*)?)+(?=\S)/i;

const OPENS_CONDITION = /^(?:any ?time|every ?time|whenever|when|if)\b.*[^?]$/i;
const MOST_WORDS_UNDER_CONDITION = 5;

/** Every lasting word of a turn. In one that is full of them, or that sets limits to its task, what does not say so itself must come back. */
export function wishesIn(turn: string): { sentence: string; wish: Wish }[] {
  const sentences = ownSentences(turn);
  const found: { sentence: string; wish: Wish }[] = [];
  for (const [at, said] of sentences.entries()) {
    const before = sentences[at - 1] ?? '';
    // A short order after "Any time …, … ." holds under that condition alone.
    const isUnderIt = OPENS_CONDITION.test(before) && said.split(' ').length <= MOST_WORDS_UNDER_CONDITION;
    const sentence = isUnderIt ? `${before} ${said}` : said;
    const routine = ROUTINES.find(({ form }) => form.test(sentence.toLowerCase()));
    const wish = clausesOf(said)
      .map(wishIn)
      .find((each) => each !== null);
    if (wish && isUnderIt) wish.text = `${before} ${wish.text}`;
    const last = found.at(-1);
    if (wish && last && !last.wish.isRoutine && isNextPart(last.wish.text, wish.text)) {
      const text = `${last.wish.text} ${wish.text}`;
      last.sentence += ` ${sentence}`;
      last.wish = { ...wish, text, lasts: last.wish.lasts || wish.lasts };
    } else if (routine && !(wish && SAYS_SO.test(sentence.toLowerCase())))
      found.push({ sentence, wish: { kind: 'rule', lasts: 0, text: routine.text, isRoutine: true } });
    else if (wish) found.push({ sentence, wish });
  }
  const isOfTask = found.length > MOST_IN_TURN || sentences.some((each) => OF_ONE_TASK.test(each.toLowerCase()));
  for (const { wish } of found) if (isOfTask && !SAYS_SO.test(wish.text.toLowerCase())) wish.lasts = 0;
  return found;
}

// "Points should always use pts. Scores should always use pins.": the same order for another thing is the same convention.
function isNextPart(before: string, text: string): boolean {
  const words = (of: string) => new Set(of.toLowerCase().replace(/[.,]/g, '').split(' '));
  const [last, next] = [words(before.split('. ').at(-1) ?? ''), words(text)];
  const shared = [...next].filter((word) => last.has(word)).length;
  return shared >= 3 && shared / (last.size + next.size - shared) >= 0.4;
}

// Run together with commas: what is asked for stands for itself, but not without its condition.
const CONDITION = /^(?:if|when|whenever|for|before|after|once|unless|while|until|in|with|since|because|where)\b/i;
const NEXT_ORDER = new RegExp(
  `(?:,| [-–])\\s+(?=(?:(?:and|but|so|also|please|then) )*(?:${NOT}|never|always|as always|stop|use|make sure|remember|keep in mind|from now on|next time|i ${NOT} want)\\b)`,
  'i',
);

function clausesOf(sentence: string): string[] {
  return CONDITION.test(sentence.replace(ADDRESS, ''))
    ? [sentence]
    : [sentence, ...sentence.split(NEXT_ORDER).slice(1)];
}

const TAG = /,? (?:ok|okay|yeah|alright|please)\s*\?\s*$/i;

/** What a sentence asks for in general; null: a question, a report or a task of that day. */
function wishIn(sentence: string): Wish | null {
  const plain = sentence
    .replace(ADDRESS, '')
    .replace(TAG, '')
    .replace(/\s*[!.,;-]+$/u, '')
    .trim();
  const lower = plain.toLowerCase();
  const words = plain.split(' ').length;
  if (words < FEWEST_WORDS || words > MOST_WORDS || isTorn(plain)) return null;
  const fit = FORMS.find(({ form }) => form.test(lower));
  if (!fit) return null;
  // "…, ok?" asks nothing.
  const asked = /\?\s*$/.test(sentence) && !TAG.test(sentence) ? `${lower}?` : lower;
  const tied = SAYS_SO.test(lower) ? UNCLEAR : [...UNCLEAR, ...OF_THE_DAY];
  if (tied.some((form) => form.test(asked))) return null;
  return { kind: fit.kind, lasts: fit.isLasting ? 1 : 0, text: `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}.` };
}

// Cut out of something longer: a bracket or a quotation that is not whole.
function isTorn(text: string): boolean {
  const count = (sign: string) => text.split(sign).length - 1;
  return count('(') !== count(')') || count('"') % 2 === 1 || count('`') % 2 === 1;
}

function lasting(kind: WishKind, forms: readonly string[], isLasting = true): Form[] {
  return forms.map((form) => ({ kind, isLasting, form: new RegExp(form) }));
}

// As an order of its own, not as what was done or is told of.
function routine(text: string, order: string): { text: string; form: RegExp } {
  const opening =
    "(?:(?:please|yes|no|also|and|ok(?:ay)?|now|then|great|good|again|you|we|should|must|let['’]?s|can|could|did|make sure|be|to|remember|forgot|i want you)[\\s,.!]+)*";
  return {
    text,
    form: new RegExp(
      `(?:^|[,;] |\\band )${opening}${order}\\b(?! (?:data|file|page|user|account|button|fail|output|result)s?\\b)`,
    ),
  };
}

function weak(kind: WishKind, forms: readonly string[]): Form[] {
  return lasting(kind, forms, false);
}

// An emoji as a heading: from there on it is an agent's answer.
const ANSWERED = /^\s*\p{Extended_Pictographic}[\s\S]*/mu;
const FENCE = /^\s*(?:```|~~~)/;
const TAGGED = /<([a-z][\w-]*)\b[^>]*>[\s\S]*?<\/\1>/gi;
const QUOTED = /(["“”])(?:(?!\1)[^"“”\n]){40,}(?:\1|”)/g;
// Logs, code, traces, tables, prompts of a shell, Markdown that somebody laid out: pasted, not typed.
const PASTED =
  /^\s{4,}\S|^\t|^\s*(?:>|\||#{1,6}\s|[$%#]\s|at\s+\S+\s*\(|File "|\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:error|warning|warn|info|debug|traceback)\b\s*[:[(]|\*\*|[{}[\]();<]|\/\/|\/\*|import\s|const\s|let\s|def\s|class\s|function\s|export\s|return\b|@@|[+-]{3}\s)|[;{]\s*$|=>|<\/\w|https?:\/\/\S{60,}|\(use "git /i;
// "We don't use npm. We use bun.": what is meant instead belongs to it, short as it is.
const REFUSED_THEN =
  /(\b(?:not|n['’]t|dont|never|stop|avoid) us(?:e|ing) [\w@+-]+)[.;!]\s+((?:instead,? |we |always |please )*use [\w@+-]+(?=[.!]|$| instead))/gi;
const MOST_CHARS = 1_500;
const MOST_LINES = 20;
const MOST_BULLETS = 5;
const SHORTEST = 12;
const LONGEST = 280;

/** The sentences of a turn that a person likely typed, one by one; none of what was pasted. */
function ownSentences(text: string): string[] {
  const lines = typedLines(text.replace(TAGGED, '\n').replace(ANSWERED, ''));
  // A text so long, or laid out with headings and lists, was written elsewhere: a specification, a template, another agent's answer.
  const headings = text.match(/^\s*#{1,6}\s/gm)?.length ?? 0;
  const bullets = lines.filter((line) => /^\s*(?:[-*•]|\d+[.)])\s/.test(line)).length;
  const isLaidOut = headings > 1 || bullets > MOST_BULLETS || lines.length > MOST_LINES;
  if (isLaidOut || lines.join('\n').length > MOST_CHARS) return [];
  return lines
    .flatMap((line) =>
      line
        .replace(QUOTED, '…')
        .replace(
          REFUSED_THEN,
          (_, refused: string, meant: string) => `${refused}, ${meant[0]?.toLowerCase()}${meant.slice(1)}`,
        )
        .replace(/(?<=[a-z][.!?])(?=(?:I|We|You|Please|Always|Never|Do)\b)/g, ' ')
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
