import { ASKING_TERMS, CHANGE_TERMS } from '../matching/text/stop-words.ts';
import type { Tokenizer } from '../matching/text/terms.ts';

/** What the person confirmed, and may belong to a prompt. */
export interface NoteText {
  text: string;
  /** Paths and globs it belongs to. */
  paths: readonly string[];
}

// Words that steer an agent and name nothing: with them alone a prompt is small talk or a follow-up. Measured: without the list 39 of 105
// such prompts would be answered, with it none (bench/hooks.mjs).
const STEERING = `
ok okay yes yeah yep nope please thanks welcome sorry hello hi hey bye good great nice cool perfect awesome fine best better well bad worse morning night tomorrow today
yesterday later soon still already yet ever never always maybe sure really exactly correct right wrong true false go going gone come keep continue proceed start stop wait
hold finish end begin try retry make get got give take put need want like run ran test check verify look see show tell say explain describe summarize summary detail short
brief long think thought know idea mean meant guess believe hope understand remember forget remind fix fail failure error problem issue bug work broken break commit push
pull merge revert undo redo diff branch pr request message open close save apply first second third last next previous others another same different rest step part option
plan one two three choice decide choose pick thing stuff something anything nothing everything everyone else way kind sort lot bit little less much many neither none even
code file line function change update add remove delete create write read edit rename move clean cleanup refactor improve simplify simple implement question answer help
helpful ready careful worry matter status state place time minute moment new old big small whole full empty quick slow fast easy hard use using used leave left skip
ignore happen found find pass output result version window mistake oops lol haha wow hmm interesting fair enough agree agreed sense myself yourself yourselves himself
herself itself ourselves themselves mine ours theirs somebody someone anybody anyone nobody whoever ll ve re didn doesn isn aren wasn weren won wouldn couldn shouldn
cannot back forward backwards ahead behind away apart together along aside across around twice double triple half quarter warning notice hint letter number sentence
paragraph word`;

// Everyday English that names nothing by itself: with such words alone a prompt is talk.
const EVERYDAY = `
every accept admit adopt advise afford alone allow almost amaze amuse angry announce annoy apologise apologize appear appreciate approach arrange arrive assume attempt
attend avoid aware awful bear beautiful become became beg began behave belong blame bless boring born borrow bother bought brave bright brilliant bring brought bury busy
buy calm care carry catch caught cause certain chance charming cheap cheer chose chosen clever climb combine comfort common complain complete concern confident confuse
congratulate consider convince crazy cry curious daily damn dare dear decent definite delight depend deserve desire determine difficult dirty disagree disappoint discover
discuss dislike disturb divide doubt drag dream driven dry due eager early earn eat effort either elaborate embarrass enable encourage enjoy enormous ensure enter entire
especially essential eventual everyday evil excellent except excite excuse exist expect extra extreme fact faith fall familiar famous fancy fantastic far favour favor
fear feel felt fight five follow fool force forever forgot forgive fortunate forty free frequent friend frighten fun funny future gain gather general gentle genuine gimme
girl glad grand grateful greet grew grow guilty guy habit hand handy hang happy hate hear heard heart heaven heavy hell high hire hit horrible huge human humble hundred
hunt hurry hurt imagine immediate impossible impress incredible increase insist inspire instead intend joke joy jump justify keen kick kidding king knock lack lady large
laugh lazy lead lean learn least led lend lie life lift lonely loose lost loud love low luck lucky mad magic main maintain major man marry marvellous mature meet mention
mercy mere mess mild million mind miss mood moral mostly mystery name narrow nasty natural near neat necessary nervous nevertheless nine noise obey obvious occasion occur
odd offer often onto oppose opposite ordinary organise organize otherwise ought outside overall pain particular past patience patient peace people perhaps permit person
piece pity plain pleasant pleasure plenty polite poor popular possible pour practice practise praise pray prefer prepare pretend pretty promise propose proper proud
punish quiet quit rare rather reach react realise realize reason recall recent recognise recognize recommend refuse regard regret relate relax relief rely remain remark
repeat rerun resist respect responsible resume rich rid ridiculous rough rude ruin rush sad safe said satisfy scare seek seem seldom serious seven several shake shame
sharp shine shock shoot shorten shout shy sick silent silly since sing situation six sleep slight smart smell smile solve somehow sometimes somewhat speak spend spoil
spoke stay steal strange strength stress strike strong struggle stuck stupid succeed success sudden suffer suggest suit suppose surprise surround sweet swear swim talk
tall taste teach ten terrible thick thin thirty though thousand threat throw tidy tie till tiny tired told tonight tough toward tremendous trick tried trouble trust truth
twenty typical ugly understood unfortunate unhappy unless unlikely unusual upset urgent useful useless usual vague various vast visit vital wander war waste weak wear
weekend weigh weird whatever whenever whereas wherever whether wicked wide wild willing win wise wish within without woke woman wonder wonderful wood world worn worth
yell young youth zero abort absolutely affirmative ah apparently asap aye ball beans bell boss bottom brb breakfast breath broke btw bucks bunch buzz call cancel chinese
coffee colleague course crack date day deal dinner dokey drink dude eh english eye face fault fifty finally fingers fire foot france french friday fruit fyi german
germany gg god goes gosh gotta green grey heads heh hm holiday holy home hour huh ice idk imo italian japanese judge kk legend lgtm lifesaver lunch meal misunderstood mm
mmm monday month moon mouth nah nail nap neck negative nerve np oh okey ooh ouch pal party phew ping portuguese posted pro pronto recap red ringing rock roger roof round
sake saturday scratch seat sec shape ship shoe sigh sir sits skin slap sleepy smooth sound spanish specific spot spring star summer sun sunday supper sweat ta tea temper
thumb thursday thx tl dr tldr tongue topic touch tuesday turn ty ugh uh vacation vibe wake weather wednesday week went whoa winter wrote wtf yay year yikes yo yup`;

// Parts of a prompt that name nothing by themselves.
const TALK = [
  // `copy that`, `wrap it up`: what is done to something that a word before it named.
  /\b[a-z]+(?=\s+(?:it|this|that|them|these|those|me|us|you)\s*(?:$|[.,;:!?]|(?:up|out|off|down|in|on|over|again|now|please|too|then|back|away|instead|anyway)\b))/gi,
  // `it crashed`, `I approve`: what is said of something named before, or of who talks.
  /\b(?:it|this|that|they|i|you|we)(?:\s+(?:just|still|now|again|also|ha[sd]|have|do|does|did|do(?:es)?n't|didn't))*\s+[a-z]+(?=\s*(?:$|[.,;:!?]))/gi,
  // `approved, go on`: a verdict is a part of its own.
  /(?<=^\s*|[.,;:!?]\s*)[a-z]+ed(?=\s*(?:$|[.,;:!?]))/gi,
  // `your opinion`, `your last idea`: what is the agent's own.
  /\byour\s+(?:(?:last|first|second|previous|latest|other|own|new)\s+)?[a-z]+/gi,
];

// Who asks for work in so few words says what to do or asks for a place, names code, or says what some thing does.
const FEW_WORDS = 5;
const WORK =
  /\b(?:build|call|check|configure|debug|deploy|explain|find|how|install|migrate|open|publish|release|review|run|search|set up|ship|start|test|where|which|why|write)\b|^\s*(?:the|our)(?:\s+\S+){3}/i;
const CODE = /`|[\p{L}\d][._/\\-][\p{L}\d]|\p{Ll}\p{Lu}|\d/u;

function asksForNothing(prompt: string, tokenizer: Tokenizer): boolean {
  if (prompt.split(/\s+/).length > FEW_WORDS || CODE.test(prompt) || WORK.test(prompt)) return false;
  return !tokenizer.list(prompt).some((term) => CHANGE_TERMS.has(term));
}

/** The terms of a prompt that name something, and those of them that nobody says every day. None: nothing can stand out. */
export function tellingTerms(prompt: string, tokenizer: Tokenizer): Record<'named' | 'rare', Set<string>> {
  if (asksForNothing(prompt, tokenizer)) return { named: new Set(), rare: new Set() };
  const steering = new Set(tokenizer.list(STEERING));
  const isGeneral = (term: string) =>
    /^(?:\d+|\p{L})$/u.test(term) || CHANGE_TERMS.has(term) || ASKING_TERMS.has(term) || steering.has(term);
  const named = new Set(
    tokenizer.list(TALK.reduce((text, part) => text.replace(part, ' '), prompt)).filter((term) => !isGeneral(term)),
  );
  // With what they do to a verb: proper, properly.
  const everyday = new Set(tokenizer.list(EVERYDAY.replace(/\w+/g, '$& $&ly')));
  const rare = new Set([...named].filter((term) => !everyday.has(term)));
  return { named: rare.size > 0 ? named : rare, rare };
}

// Few notes say little about which words are rare: as if there were so many more.
const OTHER_NOTES = 150;
const GENERAL_WEIGHT = 0.3;
const SHORTEST_STEM = 6;
const PREFIX_WEIGHT = 0.7;
// A note begins with what it is about. Measured on 20 other trades: 67 → 72 of 100, wrong ones 0.71 → 0.61 a prompt.
const OPENING_TERMS = 3;
const OPENING_WEIGHT = 1.2;
// About one word that hardly any note has.
const LEAST_TELLING = 3.5;
const LEAST_SHARE = 0.84;
const MOST_NOTES = 2;

/** The notes that stand out for a prompt, the best first; mostly none. */
export function relevantNotes<N extends NoteText>(notes: readonly N[], prompt: string, tokenizer: Tokenizer): N[] {
  const { named: telling } = tellingTerms(prompt, tokenizer);
  if (telling.size === 0) return [];
  const terms = notes.map(({ text }) => [...new Set(tokenizer.list(text))]);
  const scored = notes.map((note) => ({ note, score: 0, telling: 0 }));
  for (const term of new Set(tokenizer.list(prompt))) {
    const isTelling = telling.has(term);
    const shares = terms.map((own) => shareIn(own, term, isTelling));
    const holders = shares.filter((share) => share > 0).length;
    const rarity = Math.log(1 + (notes.length + OTHER_NOTES) / (holders + 0.5));
    for (const [at, share] of shares.entries()) {
      const entry = scored[at] as (typeof scored)[number];
      entry.score += share * rarity * (isTelling ? 1 : GENERAL_WEIGHT);
      if (isTelling) entry.telling += Math.min(1, share) * rarity;
    }
  }
  const enough = scored.filter(({ telling: sum }) => sum >= LEAST_TELLING);
  const best = Math.max(0, ...enough.map(({ score }) => score));
  return enough
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NOTES)
    .map(({ note }) => note);
}

// The word itself, or a longer or shorter form of it: auth and authentication, config and configuration.
function shareIn(own: readonly string[], term: string, isTelling: boolean): number {
  const at = own.indexOf(term);
  if (at !== -1) return at < OPENING_TERMS ? OPENING_WEIGHT : 1;
  if (!isTelling || term.length < SHORTEST_STEM) return 0;
  for (const each of own)
    if (each.length >= SHORTEST_STEM && (each.startsWith(term) || term.startsWith(each))) return PREFIX_WEIGHT;
  return 0;
}
