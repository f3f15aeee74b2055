import { stem } from '../matching/text/stem.ts';

const OPPOSITES = pairs(
  'before/after first/last more/less warm/cool warmer/cooler light/dark bright/dark brighter/darker increase/decrease raise/lower high/low higher/lower long/short longer/shorter',
  'large/small larger/smaller big/small wide/narrow left/right top/bottom above/below include/exclude enable/disable enabled/disabled allow/forbid on/off early/late fast/slow hard/soft hot/cold',
  'open/closed locked/unlocked public/private sync/async tab/space tabs/spaces single/double single/multiple one/several uppercase/lowercase ascending/descending remove/add keep/remove keep/drop keep/delete accept/reject approve/reject online/offline',
  'start/end start/stop begin/end minimum/maximum least/most old/new oldest/newest horizontal/vertical inside/outside manual/automatic manually/automatically required/optional mandatory/optional quiet/loud calm/loud',
  'sharpen/soften sharp/soft lift/crush lighten/darken static/dynamic local/remote local/global together/apart together/separately merge/split merge/rebase shallow/deep full/empty formal/informal active/passive',
  'shared/own like/dislike like/hate likes/hates love/hate loves/hates want/refuse prefer/avoid expert/beginner experts/beginners expert/novice short/detailed brief/detailed brief/long terse/verbose concise/verbose plain/ornate',
  'lazy/eager lazy/eagerly lazily/eagerly frontend/backend integer/float integers/floats integer/string utc/local mutable/immutable read/write push/pull upload/download encrypt/decrypt encode/decode lock/unlock',
  'allow/deny allowed/denied allowed/forbidden permit/forbid show/hide shown/hidden visible/hidden insert/delete create/delete create/destroy append/prepend grow/shrink expand/collapse attach/detach connect/disconnect',
  'warn/ignore fail/continue fail/pass succeed/fail stop/continue abort/continue throw/return throw/swallow log/swallow retry/abort wait/proceed ask/assume manual/generated manually/generated written/generated',
  'temporary/permanent temporarily/permanently relative/absolute implicit/explicit implicitly/explicitly partial/full partially/fully rarely/often seldom/often sometimes/never odd/even rough/smooth dry/wet cheap/expensive',
  'sparse/dense loose/tight weak/strong thin/bold serif/sans portrait/landscape monochrome/colour buy/sell give/take send/receive save/discard keep/discard store/discard commit/discard mandatory/voluntary native/foreign atmost/atleast',
  'singular/plural simple/complex strict/loose strict/lenient daily/weekly metric/imperial british/american matte/glossy present/past up/down max/min thick/thin positive/negative internal/external',
);

export const NUMBER_WORDS: Record<string, string> = {
  once: '1',
  twice: '2',
  thrice: '3',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  twelve: '12',
  twenty: '20',
  fifty: '50',
  hundred: '100',
};
// One of a kind in the place of another: a line that is else the same says something else.
const KINDS = [
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays',
  'january february march april june july august september october november december',
  'english german french spanish italian portuguese dutch polish russian chinese japanese korean arabic swedish danish',
  'red green blue yellow orange purple violet pink brown black white grey gray',
  'morning noon afternoon evening night midnight',
].map((words) => new Set(words.split(' ').map(stem)));
const UNITS = new Set(
  'gram grams kilogram kilograms ounce ounces pound pounds metre metres meter meters foot feet inch inches mile miles litre litres gallon gallons celsius fahrenheit second seconds minute minutes hour hours day days week weeks month months year years'.split(
    ' ',
  ),
);
const UNIT_STEMS = new Set([...UNITS].map(stem));
// locked and unlocked, visible and invisible: the same word with a prefix that turns it round.
const TURNED = /^(?:un|in|im|ir|il|dis|non)(\p{L}{4,})$/u;

/** A word that counts although it is short or common, by its stem. */
export function isPole(word: string): boolean {
  return OPPOSITES.has(stem(word)) || UNITS.has(word);
}

/** By their stems. */
export function areOpposites(a: string, b: string): boolean {
  if (a !== b && UNIT_STEMS.has(a) && UNIT_STEMS.has(b)) return true;
  return (OPPOSITES.get(a)?.has(b) ?? false) || TURNED.exec(a)?.[1] === b || TURNED.exec(b)?.[1] === a;
}

export function areOfOneKind(a: string, b: string): boolean {
  return KINDS.some((kind) => kind.has(a) && kind.has(b));
}

function pairs(...rows: string[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const add = (from: string, to: string) => all.set(stem(from), (all.get(stem(from)) ?? new Set()).add(stem(to)));
  for (const pair of rows.join(' ').split(' ')) {
    const [a = '', b = ''] = pair.split('/');
    add(a, b);
    add(b, a);
  }
  return all;
}
