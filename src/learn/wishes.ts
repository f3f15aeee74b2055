import { ownSentences } from './own-words.ts';

/** What kind of lasting word a sentence is. */
export type WishKind = 'rule' | 'correction' | 'preference';

export interface Wish {
  kind: WishKind;
  /** How much its form alone speaks for a wish that lasts; from 1. */
  weight: number;
  /** As a note would say it: without what addressed one moment. */
  text: string;
}

interface Sign {
  form: RegExp;
  kind: WishKind;
  weight: number;
}

// The plainest first: the strongest sign decides the kind, and others add a little.
const SIGNS: readonly Sign[] = [
  sign(
    'rule',
    6,
    /\b(?:from now on|going forward|for future (?:reference|changes|sessions)|as a (?:general )?rule|as a reminder|(?:(?:every|each|any) ?time|whenever) you\b(?!['’])|remember (?:to|that|this)\b|don['’]?t forget|by default,? (?:you|use|always))/,
  ),
  sign(
    'rule',
    5,
    /^(?:please |and |but |also |so |you (?:should|must|need to|have to|can) |we (?:should|must) |i want you to )?(?:always|never)\b|\b(?:you|we|i|agents?|ai)(?: should| must| do| need to| want to)? (?:always|never)\b/,
  ),
  // Of a thing: a requirement, which may be of that day's screen alone.
  sign('rule', 3, /\b(?:must|should|to|please) (?:always|never)\b/),
  sign('rule', 3, /\bkeep in mind\b|\bin (?:the )?future\b|\b(?:each|every) (?:single )?time\b/),
  sign(
    'correction',
    6,
    /\bi (?:already |just |have |['’]ve )*(?:told you|asked you|said|mentioned)\b[^?]{0,40}\b(?:not|never|don['’]?t|to|you|before|already|only)\b|\bhow many times\b|\bas i (?:said|mentioned|told)\b|\byou (?:keep|kept|always|again)\b|\bwhy (?:do|did|are|would) you (?:keep|always|again)\b/,
  ),
  sign(
    'correction',
    4,
    /^(?:no(?! need| changes?| problem| longer| more)|nope|wrong|stop|wait|hey)\b[,.! ]+.*\b(?:use|not|don['’]?t|instead|only|never|should|must|keep|need)\b/,
  ),
  sign(
    'rule',
    4,
    /^(?:please |and |but |also |so |just |ok(?:ay)?,? )*(?:do not|don['’]?t|never|avoid|stop)\s+(?:\w+ing\b|ever\b|use|commit|push|run|put|hard ?code|mock|guess|assume|break|start|open|install|generate|include|skip|revert|ask|try|do|fake|simulate|over\w+|leave|call|import|rely|duplicate|touch|delete|write)/,
  ),
  sign(
    'rule',
    3,
    /\b(?:you (?:should|must|may|can)(?: not|n['’]?t)|you cannot|must not|should(?: not|n['’]?t)|do not|don['’]?t) (?:ever |be |have to |need to )?(?:us|add|mak|writ|creat|chang|touch|modif|edit|remov|delet|commit|push|run|put|hard ?cod|mock|guess|assum|break|start|install|generat|includ|renam|mov)\w*/,
  ),
  sign('correction', 4, /\buse\s+\S+(?:\s\S+){0,4}?,?\s+(?:not|instead of|rather than)\s+\S+/),
  sign(
    'preference',
    4,
    /\b(?:i|we)(?: would|['’]d| do| really| strongly| always)? (?:prefer|rather|like it when|(?:don['’]?t|do not) (?:like|want|use|allow)|hate|only (?:use|want|support))\b/,
  ),
  sign(
    'preference',
    3,
    /(?:^|, |\. |because |since )(?:we|this (?:project|repo|repository|codebase|app)|our (?:project|codebase|code|tests?|convention|style)|the (?:convention|project|rule|policy|standard|codebase)) (?:uses?|are using|is using|follows?|requires?)\b/,
  ),
  sign(
    'preference',
    3,
    /\bi (?:want|need|expect|['’]d like|would like) (?:you |everything |all |every |the \w+ )to (?:always |only |be )?/,
  ),
  sign('rule', 3, /^(?:please |also |and )*(?:only|make sure|be sure|ensure|be careful|keep)\b/),
];

// A sentence about the work at hand: asked once, and done.
const AT_HAND: readonly [RegExp, number][] = [
  [/\?\s*$/, 5],
  [/^(?:can|could|would|will|shall|is|are|was|were|does|did|do you|have you|what|why|how|where|which|who|when)\b/, 4],
  [
    /\b(?:this|that|the) (?:error|bug|issue|warning|message|screenshot|image|test|commit|branch|pr|pull request|line|section|button|page|modal|card|column|row|field|link|icon|file|function|method|component|step|task|change|one|popup|dialog|time|session|chat|conversation|part|question|plan|prompt)\b/,
    2,
  ],
  [
    /\b(?:yet|for now|right now|at the moment|today|tomorrow|currently|now that|just now|so far|this time|at this (?:point|stage)|first|next|then|later|still|anymore|below|above|following|attached|screenshot|line \d+|again)\b/,
    2,
  ],
  [
    /\b(?:i see|i get|i got|i am getting|i['’]m getting|i think|i guess|i noticed|i don['’]?t (?:see|know|understand|think|remember|get|have)|doesn['’]?t work|not working|it seems|looks like|failed|is (?:broken|missing|wrong)|got|happened|was|were|did|didn['’]?t)\b/,
    3,
  ],
  [/\b(?:it|this|that|these|those|them|they|here|there)\b/, 1],
  [/\b(?:let['’]?s|lets|go ahead|proceed|continue|start (?:with|by)|begin|task \d|step \d|phase \d|subtask)\b/, 3],
  [/\b(?:i|we) (?:don['’]?t|do not) (?:need|have|want) (?:to )?(?:the|this|that|it|any|a|an)\b/, 2],
  [/\b(?:for|in|on) (?:this|that) \w+/, 1],
  [/[@#][\w./-]+\.\w+|\b\w+\.(?:tsx?|jsx?|py|go|rs|ex|md|json|css|html):?\d*/, 1],
  [/#[0-9a-f]{3,8}\b|\b\d+ ?(?:px|rem|em|ms|pt)\b/, 2],
  [/^(?:the|there|it|its|it['’]s|my|a|an|some|one|they|he|she)\b/, 1],
  [/\b(?:maybe|perhaps|possibly|probably|might|wonder|not sure|unsure|i guess)\b|\b(?:we|i)['’]ve\b/, 3],
  [/^(?:i|we) (?:need|want|would like|['’]d like) (?:the|a|an|to)\b/, 2],
  [
    /\b(?:anything|something|nothing) else\b|\b(?:this|that|your) (?:solution|approach|idea|way)\b|\b(?:show|do|keep|use|add|fix) (?:it|that|this)$|^assuming\b/,
    4,
  ],
  [/^(?:consider|a review|nothing)\b|\breview comment\b|\bthe fix\b/, 3],
  [/\.\.\.|…|:$/, 2],
];
// Words that say that something holds for all cases.
const GENERAL =
  /\b(?:any|all|every|each|everything|anything|everywhere|anywhere|always|never|ever|only|code|tests?|commits?|files?|functions?|comments?|documentation|docs|branch(?:es)?|names?|dependenc(?:y|ies)|packages?|types?|mocks?|styles?|components?|queries|migrations?|secrets?|logs?)\b/g;
const LEAST = 3;
const MOST_IN_TURN = 3;
const ADDRESS =
  /^(?:(?:(?:no|nope|wrong|stop|wait|again|right|sure|great|perfect|good|thanks|thank you)(?=\s*[,.!;:–—-])|no(?=\s+(?:use|do|don['’]?t|never|we|you|i|it|that|keep|put|only)\b)|(?:ok(?:ay)?|so|and|but|also|well|yes|yeah|hey|please|actually|then|just|now|oh|hmm+|claude|cursor|btw|by the way)\b)[\s,.!:;–—-]*(?:that['’]?s (?:wrong|not right)[\s,.!]*)?)+(?=\S)/i;
const TOLD =
  /^(?:as )?i (?:have |['’]ve )?(?:already |just )*(?:told you|asked you|said|mentioned)(?: to)?(?: (?:before|already|that|many times|several times|multiple times|again|earlier))*[\s,:]+/i;

/** Every lasting word of a turn. One that is full of them lists what holds for its own task. */
export function wishesIn(turn: string): { sentence: string; wish: Wish }[] {
  const found = ownSentences(turn).flatMap((sentence) => {
    const wish = wishIn(sentence);
    return wish ? [{ sentence, wish }] : [];
  });
  if (found.length <= MOST_IN_TURN) return found;
  return found.map(({ sentence, wish }) => ({ sentence, wish: { ...wish, weight: wish.weight - 1 } }));
}

/** What a sentence asks for in general; null: a question, a report or a task of that day. */
function wishIn(sentence: string): Wish | null {
  const lower = sentence.toLowerCase();
  const found = SIGNS.filter(({ form }) => form.test(lower)).sort((a, b) => b.weight - a.weight);
  const [first, ...others] = found;
  if (!first) return null;
  const against = AT_HAND.reduce((sum, [form, weight]) => sum + (form.test(lower) ? weight : 0), 0);
  const general = Math.min(2, (lower.match(GENERAL)?.length ?? 0) * 0.5);
  const length = sentence.length > 200 ? 2 : sentence.length > 140 ? 1 : 0;
  const weight = first.weight + Math.min(2, others.length) + general - against - length;
  const text = asNote(sentence);
  return weight < LEAST || text.split(' ').length < 3 ? null : { kind: first.kind, weight, text };
}

function sign(kind: WishKind, weight: number, form: RegExp): Sign {
  return { kind, weight, form: new RegExp(form.source, 'i') };
}

function asNote(sentence: string): string {
  const plain = sentence
    .replace(ADDRESS, '')
    .replace(TOLD, '')
    .replace(/\s*[!.…,;:-]+$/u, '')
    .trim();
  const first = plain.slice(0, 1).toUpperCase();
  return plain === '' ? '' : `${first}${plain.slice(1)}.`;
}
