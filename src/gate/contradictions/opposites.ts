import { stem } from '../../matching/text/stem.ts';

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

export const NUMBER_WORDS: Record<string, string> = Object.fromEntries(
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
].flatMap((row) => row.split(' | ').map((words) => new Set(words.split(' ').map(root))));
const UNITS = new Set(
  'gram grams kilogram kilograms ounce ounces pound pounds metre metres meter meters foot feet inch inches mile miles litre litres gallon gallons celsius fahrenheit second seconds minute minutes hour hours day days week weeks month months year years'.split(
    ' ',
  ),
);
const UNIT_STEMS = new Set([...UNITS].map(root));
// locked and unlocked, visible and invisible: the same word with a prefix that turns it round.
const TURNED = /^(?:un|in|im|ir|il|dis|non|de|anti)(\p{L}{4,})$/u;

const STARTS =
  'hard/soft upper/lower over/under in/out on/off up/down pre/post fore/back multi/single high/low long/short front/back inter/intra macro/micro mono/poly homo/hetero'
    .split(' ')
    .map((pair) => pair.split('/') as [string, string]);
const LEAST_TAIL = 3;

/** `answered` and `answers` meet. */
export function root(word: string): string {
  return stem(stem(word));
}

/** A word that counts although it is short or common, by its stem. */
export function isPole(word: string): boolean {
  return OPPOSITES.has(root(word)) || UNITS.has(word);
}

/** By their stems. */
export function areOpposites(a: string, b: string): boolean {
  if (a !== b && UNIT_STEMS.has(a) && UNIT_STEMS.has(b)) return true;
  if (OPPOSITES.get(a)?.has(b)) return true;
  return TURNED.exec(a)?.[1] === b || TURNED.exec(b)?.[1] === a || areTurnedRound(a, b) || areTurnedRound(b, a);
}

// hardcover and softcover, uppercase and lowercase: one word that begins with two that are opposites.
function areTurnedRound(a: string, b: string): boolean {
  return STARTS.some(([x, y]) => {
    const tail = a.startsWith(x) ? a.slice(x.length) : '';
    return tail.length >= LEAST_TAIL && b === y + tail;
  });
}

export function areOfOneKind(a: string, b: string): boolean {
  return KINDS.some((kind) => kind.has(a) && kind.has(b));
}

function pairs(...rows: string[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const add = (from: string, to: string) => all.set(root(from), (all.get(root(from)) ?? new Set()).add(root(to)));
  for (const pair of rows.join(' ').split(' ')) {
    const [a = '', b = ''] = pair.split('/');
    add(a, b);
    add(b, a);
  }
  return all;
}
