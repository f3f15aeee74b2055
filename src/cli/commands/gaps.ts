import { BearingsError, invalidInput } from '../../errors.ts';
import type { RankedGap } from '../../memory/gap-ranking.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { saysYes } from '../terminal/terminal.ts';
import { ageOf } from '../views/age.ts';
import { counted, fitTo, padTo, wrapTo } from '../views/columns.ts';

export const command: Command = {
  summary: 'what agents missed: rank, show, propose, clear',
  usage: [
    'bearings gaps [list|rank] [ID]',
    'bearings gaps show GAP [ID]',
    'bearings gaps propose GAP [ID] [--content TEXT]',
    'bearings gaps clear GAP|all [ID]',
  ],
  details: [
    'Outside of a workspace, and without ID, list and rank take all workspaces.',
    'rank puts first what is missed often, lately and badly; list, what was missed last. GAP is',
    'its place in the ranking or its key. propose makes a note of it, which waits for you in',
    'review. clear sets its records aside: no agent gets them any more.',
  ],
  options: {
    content: { type: 'string', value: 'TEXT', about: 'propose: the note in your own words' },
    yes: { type: 'boolean', about: 'clear: do not ask' },
  },
  waitingFor: 'reading the gaps',
  maxWords: 3,
  examples: [
    { line: 'bearings gaps', about: 'the worst first' },
    { line: 'bearings gaps propose 1', about: 'from a gap to a proposal' },
  ],
  async run(call) {
    const [verb = 'rank'] = call.words;
    const verbs: Record<string, (call: Call) => Promise<number>> = { rank, list, show, propose, clear };
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!run)
      throw invalidInput(`gaps takes list, rank, show, propose or clear, not "${verb}".`, 'See: bearings gaps --help');
    return run(call);
  },
};

async function rank(call: Call): Promise<number> {
  return printed(call, (found) => found);
}

async function list(call: Call): Promise<number> {
  return printed(call, (found) =>
    found.toSorted(({ gap: a }, { gap: b }) => (a.last_at < b.last_at ? 1 : a.last_at > b.last_at ? -1 : 0)),
  );
}

interface FoundGap {
  id: string | null;
  gap: RankedGap;
}

async function printed(call: Call, ordered: (found: FoundGap[]) => FoundGap[]): Promise<number> {
  const { terminal, json } = call;
  const found = ordered((await gapsAsked(call)).flatMap(({ id, gaps }) => gaps.map((gap) => ({ id, gap }))));
  const isAll = found.some(({ id }) => id !== null);
  if (json) {
    const answer = found.map(({ id, gap }) => (id === null ? gap : { image_id: id, ...gap }));
    terminal.print(JSON.stringify(answer, null, 2));
  } else if (found.length === 0) terminal.print('no gap was recorded yet');
  else {
    for (const { id, gap } of found) {
      const { key, count, last_at, satisfaction, description } = gap;
      const whose = id === null ? [] : [padTo(fitTo(showHidden(id), 16), 16)];
      const age = padTo(ageOf(last_at, new Date()), 10);
      const row = [key, ...whose, `${count}×`.padStart(5), age, padTo(feltAs(satisfaction), 6)];
      terminal.print(fitTo(`${row.join('  ')}  ${showHidden(description.replace(/\s+/g, ' '))}`, terminal.columns));
    }
    terminal.print(`make a note of one: bearings gaps propose GAP${isAll ? ' ID' : ''}`);
  }
  return EXIT.done;
}

// Of the workspace that is meant; where none is, of each one by its name.
async function gapsAsked({ bearings, words: [, id] }: Call): Promise<{ id: string | null; gaps: RankedGap[] }[]> {
  try {
    return [{ id: null, gaps: await (await bearings.gate()).rankedGaps({ id }) }];
  } catch (error) {
    const isUnnamed = id === undefined && error instanceof BearingsError && error.code === 'not_found';
    const all = isUnnamed ? await (await bearings.workspaces()).listWorkspaces() : [];
    if (all.length === 0) throw error;
    return Promise.all(
      all.map(async (each) => ({ id: each.id, gaps: await (await bearings.gate()).rankedGaps({ id: each.id }) })),
    );
  }
}

function feltAs(satisfaction: number | null): string {
  if (satisfaction === null) return '';
  return satisfaction < -0.3 ? 'badly' : satisfaction > 0.3 ? 'well' : 'so-so';
}

async function show({ words: [, which, id], bearings, terminal, json }: Call): Promise<number> {
  const gap = await (await bearings.gate()).rankedGap(named(which, 'show'), { id });
  if (json) terminal.print(JSON.stringify(gap, null, 2));
  else {
    terminal.print(
      `${gap.key} · ${counted(gap.count, 'time')} · ${counted(gap.sessions, 'session')} · ${showHidden(gap.intent_category)}`,
    );
    for (const { timestamp, description, missing_capability, workaround, notes } of gap.records) {
      terminal.print(terminal.paint('bold', showHidden(timestamp.slice(0, 19).replace('T', ' '))));
      const texts = [
        description,
        missing_capability && `missing: ${missing_capability}`,
        workaround && `workaround: ${workaround}`,
        notes,
      ];
      for (const text of texts.filter(Boolean))
        for (const line of wrapTo(showHidden(String(text)), terminal.columns - 2)) terminal.print(`  ${line}`);
    }
  }
  return EXIT.done;
}

async function propose({ words: [, which, id], bearings, terminal, json, text }: Call): Promise<number> {
  const gap = named(which, 'propose');
  const proposed = await (await bearings.gate()).proposeGap(gap, {
    id,
    client: 'command line',
    content: text('content'),
  });
  if (json) terminal.print(JSON.stringify(proposed, null, 2));
  else
    terminal.print(proposed.status === 'pending' ? 'it waits for you: bearings review' : 'the notes say that already');
  return EXIT.done;
}

async function clear({ words: [, which, id], bearings, terminal, json, flag }: Call): Promise<number> {
  const wanted = named(which, 'clear');
  const gate = await bearings.gate();
  const gaps = wanted === 'all' ? await gate.rankedGaps({ id }) : [await gate.rankedGap(wanted, { id })];
  const total = gaps.reduce((sum, { count }) => sum + count, 0);
  if (!flag('yes')) {
    if (!terminal.canAsk || json)
      throw new BearingsError('awaiting_person', 'clear asks before it sets records aside, so it needs a terminal.', {
        hint: 'Run it in a terminal, or use --yes.',
      });
    if (!(await saysYes(terminal, `Set ${counted(total, 'record')} aside? (y/n) `))) {
      terminal.print('nothing changed');
      return EXIT.done;
    }
  }
  const cleared = await gate.clearGaps(
    gaps.map(({ key }) => key),
    { id },
  );
  terminal.print(
    json ? JSON.stringify({ cleared }) : `${counted(cleared, 'record')} set aside, in vocabulary_gaps_cleared.jsonl`,
  );
  return EXIT.done;
}

function named(which: string | undefined, verb: string): string {
  if (which !== undefined) return which;
  throw invalidInput(`Which gap? "${verb}" needs its place or its key.`, 'See all: bearings gaps');
}
