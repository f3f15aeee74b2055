import { splitLines } from '../../code-points.ts';
import type { Block } from '../../matching/search-blocks.ts';
import { refusalsIn, usesRefused } from '../../matching/text/refusals.ts';
import { createTokenizer, stem } from '../../matching/text/terms.ts';

/** A line that says nearly the same and the opposite of it. */
export interface Contradiction {
  place: string;
  line: number;
  text: string;
  why: 'negation' | 'number' | 'opposite';
}

const MAX_TOLD = 3;
const LEAST_SHARED = 0.6;

/** Lines of these blocks that likely contradict a text. Deterministic: words, negations, numbers and opposites. */
export function contradictionsWith(content: string, blocks: readonly Block[]): Contradiction[] {
  const own = splitLines(content)
    .filter((line) => line.trim() !== '')
    .map(readLine);
  const found: Contradiction[] = [];
  for (const { place, line, text } of blocks)
    for (const [at, each] of splitLines(text).entries()) {
      const other = readLine(each);
      const why = own.map((reading) => contradicts(reading, other)).find((reason) => reason !== null);
      if (why) found.push({ place, line: line + at, text: each.trim(), why });
    }
  return found.slice(0, MAX_TOLD);
}

function contradicts(a: LineReading, b: LineReading): Contradiction['why'] | null {
  if (usesRefused(a.refusals, b) || usesRefused(b.refusals, a)) return 'opposite';
  if (a.subject.size === 0 || b.subject.size === 0) return null;
  const [onlyA, onlyB] = [without(a.subject, b.subject), without(b.subject, a.subject)];
  const isPositive = !a.negated && !b.negated;
  // `the left lens is …` and `the right lens is …` speak of two lenses.
  const isContrast = (x: string, y: string) =>
    (areOpposites(x, y) || (isPositive && areOfOneKind(x, y))) && !(a.leading.has(x) && b.leading.has(y));
  const contrasts = onlyA.filter((x) => onlyB.some((y) => isContrast(x, y)));
  const leftA = onlyA.filter((x) => !contrasts.includes(x));
  const leftB = onlyB.filter((y) => !onlyA.some((x) => isContrast(x, y)));
  const shared = a.subject.size - onlyA.length;
  const differ = a.numbers.length > 0 && a.numbers.length === b.numbers.length && a.numbers.join() !== b.numbers.join();
  if (isPositive && !differ && contrasts.length === 0) {
    if (shared > 0 && (excludes(a, b, leftA, leftB) || excludes(b, a, leftB, leftA))) return 'opposite';
    if (isReplacedValue(a.words, b.words)) return 'opposite';
  }
  // Where each has something of its own, or two things differ at once, they speak of two things.
  if ((leftA.length > 0 && leftB.length > 0) || contrasts.length > 1) return null;
  const total = shared + (leftA.length + leftB.length) / 2;
  if (total === 0 ? contrasts.length === 0 : shared / total < LEAST_SHARED) return null;
  if (contrasts.length > 0) return a.negated === b.negated && !differ ? 'opposite' : null;
  if (onlyA.length + onlyB.length === 0 && areSwapped(a.order, b.order)) return 'opposite';
  if (a.negated !== b.negated) return differ ? null : 'negation';
  return differ && leftA.length + leftB.length === 0 ? 'number' : null;
}

// `only admins may invite` beside `everyone may invite` or `guests may invite`.
function excludes(a: LineReading, b: LineReading, leftA: readonly string[], leftB: readonly string[]): boolean {
  if (!a.isOnly || b.isOnly || leftA.length !== 1 || !leftA.every((word) => a.alone.has(word))) return false;
  return b.isAll ? leftB.length === 0 : leftB.length === 1;
}

// `tabs over spaces` and `spaces over tabs`.
function areSwapped(a: readonly string[], b: readonly string[]): boolean {
  const [at, bt] = [a.findIndex((word) => PIVOT.test(word)), b.findIndex((word) => PIVOT.test(word))];
  if (at === -1 || a[at] !== b[bt]) return false;
  const [rightA, rightB] = [new Set(a.slice(at + 1)), new Set(b.slice(bt + 1))];
  return a.slice(0, at).some((word) => rightB.has(word)) && b.slice(0, bt).some((word) => rightA.has(word));
}

function without(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((word) => !b.has(word));
}

// Around these, two things are in an order.
const PIVOT = /^(?:over|before|after|above|below|behind|than|not|instead)$/;
const NEGATION =
  /\b(?:not|never|no|nor|none|nobody|nothing|neither|without|avoid(?:s|ed|ing)?|stop(?:s|ped)?|refuses?|refrains?|skip(?:s|ped)?|omit(?:s|ted)?|forbid(?:s|den)?|ban(?:s|ned)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|cannot|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should|must|need)n['’]?t)\b/giu;
// A number after such a word names a thing; it does not measure one.
const NAMED =
  /\b(?:section|chapter|step|figure|fig|table|issue|frame|page|line|image|part|phase|day|week|room|row|column|slide|version|volume|sample|item|note|task|ticket|bug|run|round|adr|rfc|pr)s?\s*#?\d[\d.,]*/giu;
// The same for any word that a line begins with: `Row 7 is empty`.
const CALLED =
  /^\W*(?:the\s+)?\p{L}+\s+#?\d[\d.,]*(?=\s+(?:is|are|was|were|has|had|have|does|did|can|may|needs?|covers|lists|shows|\p{L}+ed)\b)/u;
const DATE = /\b\d{4}-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b/gu;
const SPAN = /\b(\d[\d,]*(?:\.\d+)?)\s+(minutes|hours|days|weeks)\b/gu;
const SECONDS: Record<string, number> = { minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 };
const NUMBER = /[+-]?\d[\d.,]*\s*(?:%|[a-zµ°]{1,3}\b)?/giu;
const ONLY = /^(?:only|solely|exclusively|alone)$/u;
const ALL = /\b(?:anyone|anybody|everyone|everybody|anything|everything|anywhere|everywhere|all|any|every|always)\b/u;
// Words of advice that say nothing of the subject.
const EMPTY = new Set(
  'always please should must do does did use uses used using be been is are was were has have had it its the a an to of for in on at by and or we i you this that these those there prefer keep only solely exclusively alone all any every ever anyone anybody everyone everybody everywhere anywhere just very really may might can could will would shall stay stays remain remains look looks become becomes get gets come comes need needs needed with from as over than instead her his their our your my they them she he also still quite rather'.split(
    ' ',
  ),
);
const VERB =
  /^(?:is|are|was|were|has|have|had|must|should|may|can|could|will|would|shall|does|did|do|needs?|stays?|goes|go|takes?|gets?|comes?|lasts|runs?|starts?|ends?|says?|shows?|names?|lists?|covers?|holds?|contains?)$/;

type LineReading = ReturnType<typeof readLine>;

/** What a line says, as far as words tell. */
function readLine(line: string) {
  const spoken = line.toLowerCase().replace(/\p{L}+/gu, (word) => NUMBER_WORDS[word] ?? word);
  const plain = spoken.replace(SPAN, inSeconds).replace(DATE, ' ').replace(NAMED, asName).replace(CALLED, asName);
  const positive = plain
    .replace(NEGATION, ' ')
    .replace(NUMBER, (text, at: number, whole: string) => (/[\p{L}\d]/u.test(whole[at - 1] ?? ' ') ? text : ' '));
  const poles = (positive.match(/\p{L}+/gu) ?? []).filter(isPole);
  const kept = positive.replace(/\p{L}+/gu, (word) => (EMPTY.has(word) || isPole(word) ? ' ' : word));
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}.+/_-]*/gu) ?? [];
  return {
    text: line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim(),
    refusals: refusalsIn(line),
    negated: (plain.match(NEGATION) ?? []).length % 2 === 1,
    isOnly: words.some((word) => ONLY.test(word)),
    // What it speaks of alone: `only admins`, `admins only`.
    alone: new Set(aloneWords(words).map(stem)),
    isAll: ALL.test(plain),
    numbers: (plain.match(NUMBER) ?? []).map((number) => number.replace(/\s|,/g, '').replace(/\.$/, '')),
    // What it is about: its terms, without words of advice.
    subject: new Set([...createTokenizer().list(kept), ...poles].map(stem)),
    // Which thing it speaks of: `the left lens is …`, `errors go to …`.
    leading: new Set(wordsBeforeVerb(words).map(stem)),
    order: (plain.match(/\p{L}+/gu) ?? []).flatMap((word) =>
      PIVOT.test(word) ? [word] : EMPTY.has(word) ? [] : [stem(word)],
    ),
    words,
  };
}

// One hour is sixty minutes.
function inSeconds(_: string, number: string, unit: string): string {
  return `${Number(number.replaceAll(',', '')) * (SECONDS[unit] ?? 1)} seconds`;
}

function asName(named: string): string {
  return named.replace(/\s*#?(\d)/, 'nr$1').replace(/[.,]/g, '');
}

function wordsBeforeVerb(words: readonly string[]): readonly string[] {
  const verb = words.findIndex((word) => VERB.test(word));
  return words.slice(0, Math.max(verb, 0));
}

function aloneWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => ONLY.test(word));
  if (at === -1) return [];
  const next = words.slice(at + 1).find((word) => !EMPTY.has(word));
  return next === undefined ? words.slice(Math.max(at - 1, 0), at) : [next];
}

// What has one value at a time: `the default branch is …`, `merged by …`, `written in …`.
const ONE_VALUE =
  /\b(?:is|are|was|were|be|gets?|stays?)\b.*\s(?:in|at|to|by|as|with|from|under|via|into|after|through|using)$|\bdefault\b.*\s(?:is|are)$/u;
const MAX_VALUE_WORDS = 2;
const WHOSE = /^(?:the|a|an|its|their|our|my|your|her|his|each|every|one)$/;

/** Whether two lines give one property two values: all the same but for what is at its end. */
function isReplacedValue(wordsA: readonly string[], wordsB: readonly string[]): boolean {
  const [a, b] = [wordsA, wordsB].map((words) => words.filter((word) => !WHOSE.test(word))) as [string[], string[]];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let behind = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (behind < shorter && a[a.length - 1 - behind] === b[b.length - 1 - behind]) behind += 1;
  const lengths = [a.length - start - behind, b.length - start - behind];
  const areShort = lengths.every((length) => length >= 1 && length <= MAX_VALUE_WORDS);
  return areShort && ONE_VALUE.test(a.slice(0, start).join(' '));
}

const OPPOSITES = pairs(
  'before/after first/last more/less warm/cool warmer/cooler light/dark bright/dark brighter/darker increase/decrease raise/lower high/low higher/lower long/short longer/shorter large/small larger/smaller big/small wide/narrow left/right top/bottom above/below include/exclude enable/disable enabled/disabled allow/forbid on/off early/late fast/slow hard/soft hot/cold open/closed locked/unlocked',
  'public/private sync/async tab/space tabs/spaces single/double single/multiple one/several uppercase/lowercase ascending/descending remove/add keep/remove keep/drop keep/delete accept/reject approve/reject online/offline start/end start/stop begin/end minimum/maximum least/most old/new oldest/newest horizontal/vertical inside/outside manual/automatic manually/automatically required/optional',
  'mandatory/optional quiet/loud calm/loud sharpen/soften sharp/soft lift/crush lighten/darken static/dynamic local/remote local/global together/apart together/separately merge/split merge/rebase shallow/deep full/empty formal/informal active/passive shared/own like/dislike like/hate likes/hates love/hate loves/hates want/refuse prefer/avoid expert/beginner experts/beginners expert/novice',
  'short/detailed brief/detailed brief/long terse/verbose concise/verbose plain/ornate lazy/eager lazy/eagerly lazily/eagerly frontend/backend integer/float integers/floats integer/string utc/local mutable/immutable read/write push/pull upload/download encrypt/decrypt encode/decode lock/unlock allow/deny allowed/denied allowed/forbidden permit/forbid show/hide shown/hidden visible/hidden insert/delete',
  'create/delete create/destroy append/prepend grow/shrink expand/collapse attach/detach connect/disconnect warn/ignore fail/continue fail/pass succeed/fail stop/continue abort/continue throw/return throw/swallow log/swallow retry/abort wait/proceed ask/assume manual/generated manually/generated written/generated temporary/permanent temporarily/permanently relative/absolute implicit/explicit',
  'implicitly/explicitly partial/full partially/fully rarely/often seldom/often sometimes/never odd/even rough/smooth dry/wet cheap/expensive sparse/dense loose/tight weak/strong thin/bold serif/sans portrait/landscape monochrome/colour buy/sell give/take send/receive save/discard keep/discard store/discard commit/discard mandatory/voluntary native/foreign atmost/atleast many/few reject/ignore',
  'accept/ignore handle/ignore several/single hardcover/softcover hardcover/paperback stand/sit upright/lying rise/fall raise/reduce increase/reduce gain/lose import/export input/output inbound/outbound incoming/outgoing enter/leave arrive/depart push/pop load/unload mount/unmount install/uninstall compress/decompress zip/unzip pack/unpack wrap/unwrap prefix/suffix header/footer upstream/downstream',
  'client/server vertical/horizontally vertically/horizontally clockwise/anticlockwise inner/outer front/back forward/backward forwards/backwards before/behind near/far north/south east/west indoors/outdoors indoor/outdoor known/unknown safe/dangerous clean/dirty fresh/stale raw/cooked sweet/savoury salted/unsalted ripe/unripe alive/dead healthy/sick guilty/innocent rich/poor heavy/light',
  'heavier/lighter easy/difficult simple/detailed busy/idle awake/asleep noisy/silent silent/verbose loud/silent always/rarely always/seldom always/sometimes always/occasionally all/some both/neither frequent/rare frequently/rarely regularly/rarely immediately/later now/later eager/deferred immediate/deferred immediately/deferred synchronous/asynchronous blocking/nonblocking sequential/parallel',
  'sequentially/parallel serial/parallel stateful/stateless typed/untyped signed/unsigned nullable/required optional/compulsory compiled/interpreted tracked/untracked tracked/ignored committed/ignored versioned/unversioned bundled/separate inline/external inlined/external embedded/linked nested/flat flat/deep centralised/decentralised centralized/decentralized sorted/unsorted ordered/random',
  'ordered/unordered fixed/variable fixed/flexible constant/variable exact/approximate rounded/exact specific/general particular/general whole/part complete/partial free/paid anonymous/named anonymous/identified monorepo/polyrepo paginated/unpaginated draft/final welcome/forbidden encouraged/discouraged recommended/discouraged preferred/avoided supported/unsupported valid/invalid correct/wrong',
  'right/wrong true/false yes/no win/lose succeed/break question/answer praise/criticise teach/learn lend/borrow throw/catch panic/return rethrow/swallow propagate/swallow block/allow whitelist/blacklist allowlist/denylist grant/revoke subscribe/unsubscribe register/unregister follow/unfollow opt/out freeze/thaw heat/chill warm/chill fill/drain pour/drain lengthen/shorten widen/narrow',
  'strengthen/weaken soften/harden speed/slow accelerate/slow praise/blame agree/disagree trust/distrust appear/disappear obey/disobey primary/secondary senior/junior major/minor adult/child buyer/seller employer/employee landlord/tenant majority/minority colour/monochrome color/monochrome saturated/desaturated saturate/desaturate cropped/uncropped landscape/square sharp/blurred blur/sharpen',
  'glossy/matt rough/polished crisp/blurry backlit/frontlit singular/plural simple/complex strict/loose strict/lenient daily/weekly metric/imperial british/american matte/glossy present/past up/down max/min thick/thin positive/negative internal/external',
);

const NUMBER_WORDS: Record<string, string> = Object.fromEntries(
  'once/1 twice/2 thrice/3 one/1 two/2 three/3 four/4 five/5 six/6 seven/7 eight/8 nine/9 ten/10 twelve/12 eleven/11 thirteen/13 fourteen/14 fifteen/15 sixteen/16 eighteen/18 twenty/20 thirty/30 forty/40 fifty/50 sixty/60 seventy/70 eighty/80 ninety/90 hundred/100 thousand/1000 dozen/12'
    .split(' ')
    .map((pair) => pair.split('/')),
);
// One of a kind in the place of another: a line that is else the same says something else.
const KINDS = [
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends | january february march april june july august september october november december',
  'spring summer autumn winter | english german french spanish italian portuguese dutch polish russian chinese japanese korean arabic swedish danish norwegian finnish czech greek turkish hebrew hindi latin',
  'red green blue yellow orange purple violet pink brown black white grey gray teal cyan magenta beige | morning noon afternoon evening night midnight lunch breakfast dinner dawn dusk',
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth twentieth thirtieth last | hourly daily nightly weekly fortnightly monthly quarterly yearly annually',
  'json yaml toml xml csv ini protobuf markdown html pdf docx latex asciidoc | npm pnpm yarn bun | pip poetry conda uv pipenv | postgres postgresql mysql mariadb sqlite mongodb redis oracle dynamodb cassandra',
  'jest vitest mocha jasmine ava | pytest unittest nose | typescript javascript python ruby rust golang java kotlin swift php perl | react vue svelte angular preact solid | webpack vite rollup esbuild parcel',
  'camelcase snakecase kebabcase pascalcase camel snake kebab pascal | linux windows macos | aws azure gcp heroku netlify vercel | github gitlab bitbucket | mit apache gpl bsd mpl | rest graphql grpc soap | stdout stderr syslog',
  'png jpeg jpg tiff webp gif svg avif raw dng | srgb prophoto cmyk rgb | trace debug info warning error fatal | slack email mail phone teams discord sms letter | apa mla chicago harvard vancouver ieee | dollars euros pounds francs yen',
  'production staging development | major minor patch | sans serif mono monospace | footnotes endnotes | footnote endnote | air sea rail road courier post | steel wood aluminium plastic glass brass copper',
  'cotton wool silk linen polyester | tea coffee juice milk beer wine | cash card cheque invoice transfer',
].flatMap((row) => row.split(' | ').map((words) => new Set(words.split(' ').map(stem))));
const UNITS = new Set(
  'gram kilogram ounce pound metre meter foot feet inch mile litre gallon celsius fahrenheit second minute hour day week month year'
    .split(' ')
    .map(stem),
);
// locked and unlocked, visible and invisible: the same word with a prefix that turns it round.
const TURNED = /^(?:un|in|im|ir|il|dis|non|de|anti)(\p{L}{4,})$/u;

/** A word that counts although it is short or common, by its stem. */
function isPole(word: string): boolean {
  return OPPOSITES.has(stem(word));
}

/** By their stems. */
function areOpposites(a: string, b: string): boolean {
  if (a !== b && UNITS.has(a) && UNITS.has(b)) return true;
  if (OPPOSITES.get(a)?.has(b)) return true;
  return TURNED.exec(a)?.[1] === b || TURNED.exec(b)?.[1] === a;
}

function areOfOneKind(a: string, b: string): boolean {
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
