import { BearingsError } from '../errors.ts';
import type { WorkspaceGap } from '../gate/gap-list.ts';
import { showHidden } from '../safety/hidden-characters.ts';
import { type Call, needed, needsTerminal, subCommand } from './command.ts';
import { saysYes } from './terminal/terminal.ts';
import { ageOf, counted, table, wrapTo } from './views/columns.ts';

/** `bearings sessions gaps`: what agents missed. */
export async function runGaps(call: Call): Promise<number> {
  return subCommand(call, 'sessions gaps', { rank: list, list, show, propose, clear });
}

async function list(call: Call, order: string): Promise<number> {
  const { terminal, answer } = call;
  const { gaps, isAll } = await gapsOf(call);
  if (order === 'list') gaps.sort((a, b) => (a.last_at < b.last_at ? 1 : a.last_at > b.last_at ? -1 : 0));
  return answer(gaps, () => {
    if (gaps.length === 0) return 'no gap was recorded yet';
    const rows = gaps.map(({ image_id, key, count, last_at, satisfaction, description }) => {
      const facts = [`${count}×`.padStart(5), ageOf(last_at, new Date()), ratingOf(satisfaction)];
      return [key, ...(isAll ? [showHidden(image_id)] : []), ...facts, showHidden(description.replace(/\s+/g, ' '))];
    });
    return [
      ...table(rows, terminal.columns),
      `make a note of one: bearings sessions gaps propose GAP${isAll ? ' ID' : ''}`,
    ];
  });
}

// Of the workspace that is meant; where none is, of each.
async function gapsOf({ bearings, words: [id] }: Call): Promise<{ gaps: WorkspaceGap[]; isAll: boolean }> {
  const gate = await bearings.gate();
  try {
    return { gaps: await gate.rankedGaps({ id }), isAll: false };
  } catch (error) {
    const isUnnamed = id === undefined && error instanceof BearingsError && error.code === 'not_found';
    if (!isUnnamed || (await (await bearings.workspaces()).listWorkspaces()).length === 0) throw error;
    return { gaps: await gate.rankedGaps('all'), isAll: true };
  }
}

function ratingOf(satisfaction: number | null): string {
  if (satisfaction === null) return '';
  return satisfaction < -0.3 ? 'badly' : satisfaction > 0.3 ? 'well' : 'so-so';
}

async function show({ words: [which, id], bearings, terminal, answer }: Call): Promise<number> {
  const gap = await (await bearings.gate()).rankedGap(named(which, 'show'), { id });
  const { key, count, sessions, intent_category, records } = gap;
  return answer(gap, () => [
    `${key} · ${counted(count, 'time')} · ${counted(sessions, 'session')} · ${showHidden(intent_category)}`,
    ...records.flatMap(({ timestamp, description, missing_capability, workaround, notes }) => {
      const missing = missing_capability && `missing: ${missing_capability}`;
      const texts = [description, missing, workaround && `workaround: ${workaround}`, notes].filter(Boolean);
      return [
        terminal.paint('bold', showHidden(timestamp.slice(0, 19).replace('T', ' '))),
        ...texts.flatMap((text) => wrapTo(showHidden(String(text)), terminal.columns - 2)).map((line) => `  ${line}`),
      ];
    }),
  ]);
}

async function propose({ words: [which, id], bearings, answer, text }: Call): Promise<number> {
  const gap = named(which, 'propose');
  const given = { id, client: 'command line', content: text('content') };
  const proposed = await (await bearings.gate()).proposeGap(gap, given);
  return answer(proposed, () =>
    'proposal_id' in proposed ? 'it waits for you: bearings review' : 'the notes say that already',
  );
}

async function clear({ words: [which, id], bearings, terminal, json, flag, answer }: Call): Promise<number> {
  const key = named(which, 'clear');
  const gate = await bearings.gate();
  const gaps = key === 'all' ? await gate.rankedGaps({ id }) : [await gate.rankedGap(key, { id })];
  const total = gaps.reduce((sum, { count }) => sum + count, 0);
  if (!flag('yes')) {
    if (!terminal.canAsk || json)
      throw needsTerminal('clear asks first, so it needs a terminal.', 'Run it in a terminal, or use --yes.');
    if (!(await saysYes(terminal, `Set ${counted(total, 'record')} aside?`)))
      return answer({ cleared: 0 }, () => 'nothing changed');
  }
  const cleared = await gate.clearGaps(
    gaps.map((gap) => gap.key),
    { id },
  );
  return answer({ cleared }, () => `${counted(cleared, 'record')} set aside, in vocabulary_gaps_cleared.jsonl`);
}

function named(which: string | undefined, verb: string): string {
  return needed(which, `Which gap? "${verb}" needs its place or its key.`, 'See all: bearings sessions gaps');
}
