// What has one value at a time: `the default branch is …`, `errors go to …`, `write notes in …`.
const PROPERTY =
  /\b(?:default|name|title|deadline|limit|owner|maintainer|contact|author|lead|version|language|format|licen[cs]e|port|branch|colou?r|style|size|font|typeface|time ?zone|budget|target|host|address|path|folder|directory|database|framework|library|tool|bundler|runner|manager|editor|compiler|strategy|order|unit|currency|theme|layout|orientation|status|priority|capital|password|domain|registry|provider|vendor|supplier|venue|location|start|end|source|backend|engine|protocol|encoding|platform|audience|tense|tone|voice|convention|scheme|prefix|suffix|extension|separator|delimiter)s?\b.*\s(?:is|are|was|were)$/u;
// `merged by …`, `written in …`: what is done to a thing is done in one way.
const DONE =
  /\b(?:is|are|was|were|be|gets?|stays?)\s(?:\p{L}+\s)?(?:\p{L}+(?:ed|en|wn)|kept|sent|built|held|paid|bound|set|made|sold|bought|led|shot|cut|read|run|spelt|lit|put|hung|fed)\s(?:in|at|to|by|as|with|from|under|via|into|after|through|using)$/u;
const STANDS = /\b(?:is|are|was|were|stays?|remains?)\s(?:in|at|from|under|by)$/u;
const ORDERED =
  /^(?:always\s)?(?:sort|order|name|call|store|save|keep|put|write|bind|host|build|send|publish|log|format|indent|measure|print|render|file|release|record|export|address|label|start|begin|open|end|finish|close|serve|ship|set|crop|round|sign|separate|prefix|wrap|encode|draw|shoot|frame|number|archive|deliver|pay|bill|price|report|escalate|hang|plant|season|cook|bake|wash)\s(?:.*\s)?(?:in|to|at|as|with|from|under|via|into|after|through|using|by|on)$/u;
const GOES =
  /\b(?:go(?:es)?|live(?:s)?|belongs?|sits?|defaults?|points?|starts?|begins?|ends?|opens?|closes?|finish(?:es)?|resolves?|falls? back|writes?|speaks?)\s(?:in|on|to|at|by|with|from|under|into|after|as)$/u;
const RULES = [PROPERTY, DONE, STANDS, ORDERED, GOES];
// What comes after a value may only repeat it: `in Polish notation`.
const [MOST_VALUE_WORDS, MOST_BEHIND, LEAST_BEFORE] = [2, 1, 2];
const WHOSE = /^(?:the|a|an|its|their|our|my|your|her|his|each|every|one)$/;

/** Whether two lines give one property two values: all the same but for what is at its end. */
export function isReplacedValue(wordsA: readonly string[], wordsB: readonly string[]): boolean {
  const [a, b] = [wordsA, wordsB].map((words) => words.filter((word) => !WHOSE.test(word))) as [string[], string[]];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let behind = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (behind < shorter && a[a.length - 1 - behind] === b[b.length - 1 - behind]) behind += 1;
  const lengths = [a.length - start - behind, b.length - start - behind];
  if (lengths.some((length) => length < 1 || length > MOST_VALUE_WORDS) || behind > MOST_BEHIND) return false;
  const said = a.slice(0, start).join(' ');
  return start >= LEAST_BEFORE && RULES.some((rule) => rule.test(said));
}
