// Words that say nothing about where to look.
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being but by can could did do does doing done for from had has have having he her hers him his how i if in ' +
    'into is it its just me my no nor not of off on once only or other our out over own she should so some such than that the their them ' +
    'then there these they this those through to too under until up us was we were what when where which while who whom why will with ' +
    'would you your yours about after again all also am any because before below between both during each few further here more most s t ' +
    'don now when via per let may might must shall'
  ).split(' '),
);

// What nearly every change says of itself (add, fixed, updating), as the tokenizer leaves it: it weighs little beside the
// thing it names.
export const CHANGE_TERMS: ReadonlySet<string> = new Set(
  (
    'add fix updat remov improv chang refact refactor mak use used using support allow handl impl implement ' +
    'introduc mov renam bump ensur avoid prevent correct clean cleanup simplifi drop replac creat delet enabl ' +
    'disabl bet new issu bug featur feat chor doc test wip misc min small cod fil'
  ).split(' '),
);

// What a question to a talk says of the answer it wants (list, explain, how many) and of talking itself (mention, said), as
// the tokenizer leaves it: it weighs little beside what is asked for.
export const ASKING_TERMS: ReadonlySet<string> = new Set(
  (
    'list ord bring brought ment mention different aspect item conversat chat throughout across discuss talk say said tell told ask quest ' +
    'giv show explain walk help summari summariz summaris comprehensiv clear overview detail describ recommend suggest provid ' +
    'includ mani much ever total relat'
  ).split(' '),
);

// Words that steer an agent and name nothing: with them and the lists above alone a prompt is small talk or a follow-up. Measured: without
// it 39 of 105 such prompts would be answered, with it none (bench/hooks.mjs).
export const STEERING = `
ok okay yes yeah yep nope please thanks welcome sorry hello hi hey bye good great nice cool perfect awesome fine best well bad worse morning night tomorrow today
yesterday later soon still already yet never always maybe sure really exactly right wrong true false go going gone come keep continue proceed start stop wait hold finish
end begin try retry get got take put need want like run ran check verify look see short brief long think thought know idea mean meant guess believe hope understand
remember forget remind fail failure error problem work broken break commit push pull merge revert undo redo diff branch pr request message open close save apply first
second third last next previous others another same rest step part option plan one two three choice decide choose pick thing stuff something anything nothing everything
everyone else way kind sort lot bit little less neither none even line function write read edit simple answer helpful ready careful worry matter status state place time
minute moment old big whole full empty quick slow fast easy hard leave left skip ignore happen found find pass output result version window mistake oops lol haha wow hmm
interesting fair enough agree agreed sense myself yourself yourselves himself herself itself ourselves themselves ours theirs somebody someone anybody anyone nobody
whoever ll ve re didn doesn isn aren wasn weren won wouldn couldn shouldn cannot back forward backwards ahead behind away apart together along aside around twice double
triple half quarter warning notice hint letter number sentence paragraph word`;

// Everyday English that names nothing by itself: with such words alone a prompt is talk.
export const EVERYDAY = `
every accept admit adopt advise afford alone almost amaze amuse angry announce annoy apologise apologize appear appreciate approach arrange arrive assume attempt attend
aware awful bear beautiful become became beg began behave belong blame bless boring born borrow bother bought brave bright brilliant bury busy buy calm care carry catch
caught cause certain chance charming cheap cheer chose chosen clever climb combine comfort common complain complete concern confident confuse congratulate consider
convince crazy cry curious daily damn dare dear decent definite delight depend deserve desire determine difficult dirty disagree disappoint discover dislike disturb
divide doubt drag dream driven dry due eager early earn eat effort either elaborate embarrass encourage enjoy enormous enter entire especially essential eventual everyday
evil excellent except excite excuse exist expect extra extreme fact faith fall familiar famous fancy fantastic far favour favor fear feel felt fight five follow fool
force forever forgot forgive fortunate forty free frequent friend frighten fun funny future gain gather general gentle genuine gimme girl glad grand grateful greet grew
grow guilty guy habit hand handy hang happy hate hear heard heart heaven heavy hell high hire hit horrible huge human humble hundred hunt hurry hurt imagine immediate
impossible impress incredible increase insist inspire instead intend joke joy jump justify keen kick kidding king knock lack lady large laugh lazy lead lean learn least
led lend lie life lift lonely loose lost loud love low luck lucky mad magic main maintain major man marry marvellous mature meet mercy mere mess mild million mind miss
mood moral mostly mystery name narrow nasty natural near neat necessary nervous nevertheless nine noise obey obvious occasion occur odd offer often onto oppose opposite
ordinary organise organize otherwise ought outside overall pain particular past patience patient peace people perhaps permit person piece pity plain pleasant pleasure
plenty polite poor popular possible pour practice practise praise pray prefer prepare pretend pretty promise propose proper proud punish quiet quit rare rather reach
react realise realize reason recall recent recognise recognize refuse regard regret relax relief rely remain remark repeat rerun resist respect responsible resume rich
rid ridiculous rough rude ruin rush sad safe satisfy scare seek seem seldom serious seven several shake shame sharp shine shock shoot shorten shout shy sick silent silly
since sing situation six sleep slight smart smell smile solve somehow sometimes somewhat speak spend spoil spoke stay steal strange strength stress strike strong struggle
stuck stupid succeed success sudden suffer suit suppose surprise surround sweet swear swim tall taste teach ten terrible thick thin thirty though thousand threat throw
tidy tie till tiny tired tonight tough toward tremendous trick tried trouble trust truth twenty typical ugly understood unfortunate unhappy unless unlikely unusual upset
urgent useful useless usual vague various vast visit vital wander war waste weak wear weekend weigh weird whatever whenever whereas wherever whether wicked wide wild
willing win wise wish within without woke woman wonder wonderful wood world worn worth yell young youth zero abort absolutely affirmative ah apparently asap aye ball
beans bell boss bottom brb breakfast breath broke btw bucks bunch buzz call cancel chinese coffee colleague course crack date day deal dinner dokey drink dude eh english
eye face fault fifty finally fingers fire foot france french friday fruit fyi german germany gg god goes gosh gotta green grey heads heh hm holiday holy home hour huh ice
idk imo italian japanese judge kk legend lgtm lifesaver lunch meal misunderstood mm mmm monday month moon mouth nah nail nap neck negative nerve np oh okey ooh ouch pal
party phew ping portuguese posted pro pronto recap red ringing rock roger roof round sake saturday scratch seat sec shape ship shoe sigh sir sits skin slap sleepy smooth
sound spanish specific spot spring star summer sun sunday supper sweat ta tea temper thumb thursday thx tl dr tldr tongue topic touch tuesday turn ty ugh uh vacation vibe
wake weather wednesday week went whoa winter wrote wtf yay year yikes yo yup`;
