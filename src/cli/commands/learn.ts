import type { Rooms } from '../../bearings.ts';
import type { PlannedImage, PlannedImport } from '../../clients/import.ts';
import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { progressOn } from '../terminal/progress.ts';
import { saysYes, type Terminal } from '../terminal/terminal.ts';
import { counted, fitMiddle, fitTo, padTo } from '../views/columns.ts';
import { candidateLines, learnedLines, SHOWN } from '../views/learn-view.ts';

const NOTHING_HERE = 'nothing of it was found here';

export const command = defineCommand({
  help: `
    bearings learn [--list] [--check] [--histories] [--propose] [--workspace ID]
    bearings learn --from NAME|FILE [NAME|FILE]… [--path PATH] [--to notes|tastes/NAME] [--workspace ID]

    Alone: reads what the agents on this machine already keep about this project, and changes nothing: their
    instructions and memories, and the transcripts of Claude Code, Codex, Gemini CLI, OpenCode and Cursor. It shows what
    contradicts, what cites files or scripts that are gone, what repeats, and what you corrected or asked for again and
    again. The best ten become proposals after you agreed, and review asks for each. Only what you typed counts.

    With --from: NAME is chemigram, claude, agents, gemini, cursor, copilot, claude-memory, codex-memory, gemini-memory,
    basic-memory, mem0 or chatgpt.
    Shows what would become which note or taste, block by block, then asks; you decide on each in review. Secrets
    and hidden characters are left out by name; a brief comes in after a question of its own. Of Chemigram, and of
    any folder of images or tastes, images come too: brief, log and gaps after one question that shows them.

    --list  all that was found, and nothing is asked
    --check  only what is cited and gone; exit code 1 where there is any
    --histories  what histories in the project (SpecStory) hold, the repository’s words, in place of yours
    --from NAME|FILE …  what to take it from; repeatable
    --path PATH  the folder or file to read, in place of where NAME keeps it
    --to TARGET  for files: notes (default) or tastes/NAME
    --workspace ID  for notes: of which workspace
    --category C  for tastes: appearance, process (default) or value
    --with-tastes  take what a repository’s file calls a taste of yours as one
    --propose  make the proposals without asking: they write nothing

    bearings learn  what agents here already believe, and your ten best corrections
    bearings learn --check  for CI: instructions that cite what is gone
    bearings learn --from notes.md --to tastes/typescript  a file as a taste
  `,
  maxWords: 50,
  async run(call) {
    const { words, list, flag } = call;
    if (flag('check')) return checkCitations(call);
    if (list('from').length > 0) return learnFrom(call, [...list('from'), ...words]);
    if (words.length > 0) throw invalidInput('Learn from what?', 'For example: bearings learn --from claude');
    return learnHere(call);
  },
});

async function learnFrom({ text, flag, bearings, terminal, json }: Call, sources: string[]): Promise<number> {
  const clients = await bearings.clients();
  const say = (line: string): void => {
    if (!json) terminal.print(line);
  };
  const options = {
    ...{ to: text('to'), id: text('workspace'), category: text('category') },
    ...{ from: text('path'), withTastes: flag('with-tastes') },
  };
  const asks = terminal.canAsk && !json;
  const images = await clients.planImages(sources, options);
  const missing = images.filter(({ isNew, parts }) => isNew || parts.length > 0);
  for (const line of imageLines(images)) say(fitTo(line, terminal.columns));
  const some = counted(missing.length, 'image');
  const question = `Take in brief, log and gaps of ${some}?`;
  const isTaken = missing.length > 0 && asks && (await saysYes(terminal, question));
  if (isTaken) await clients.importImages(missing);
  else if (missing.length > 0) say(`${some} can come in: run it in a terminal`);
  const plan = await clients.planImport(sources, options);
  // Notes of an image need its workspace.
  const absent = new Set(isTaken ? [] : images.filter(({ isNew }) => isNew).map(({ id }) => id));
  const dead = await (await bearings.learning()).deadCitations();
  const items = plan.items.map((item) => {
    const cited = dead.find((each) => item.content.includes(each.cited));
    // Whoever decides on it reads it in the reason.
    const gone = cited && `cites ${cited.cited}: no such ${cited.what}`;
    return { ...item, gone, ...(absent.has(item.workspace ?? '') && { skipped: 'its image is not imported' }) };
  });
  for (const { from, kind, file, content, skipped } of items) {
    const target = skipped === null ? (kind === 'taste' ? `tastes/${file}` : file) : 'left out';
    // A line across the page says nothing.
    const first = content.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? content;
    const about = skipped === null ? first : `${skipped}: ${first.slice(0, 20)}`;
    const row = [padTo(fitMiddle(showHidden(from), 24), 24), padTo(showHidden(target), 22), showHidden(about)];
    say(fitTo(row.join('  '), terminal.columns));
  }
  for (const { name, reason } of plan.unread) say(terminal.fold(`${showHidden(name)}: ${reason}`));
  const usable = items.filter(({ skipped }) => skipped === null);
  // Before anything is asked: without a workspace no answer would help.
  if ((asks || flag('propose')) && usable.some(({ kind, workspace }) => kind !== 'taste' && workspace === undefined))
    await (await bearings.memory()).workspaceId({ id: options.id });
  if (asks) await takeBriefs(bearings, terminal, items, options.id);
  const count = counted(usable.length, 'proposal');
  const isMeant = usable.length > 0 && (flag('propose') || (asks && (await saysYes(terminal, `Make ${count}?`))));
  const made = isMeant ? await clients.proposeImport(usable, options) : { proposed: 0, present: 0 };
  const there = made.present > 0 ? `, ${made.present} already there` : '';
  if (json) terminal.print(JSON.stringify({ ...plan, items, images, ...made }, null, 2));
  else if (isMeant) say(`proposed ${made.proposed}${there} · waits for you: bearings review`);
  else if (usable.length > 0) say(`nothing was proposed · ${count} could be made: add --propose`);
  // A file that can't be taken is bad use; a program that has nothing here is an answer.
  return plan.unread.some(({ reason }) => reason !== NOTHING_HERE) ? EXIT.badUse : EXIT.done;
}

async function checkCitations({ bearings, answer }: Call): Promise<number> {
  const gone = await (await bearings.learning()).deadCitations();
  const ok = gone.length === 0;
  const lines = gone.map(
    ({ source, line, cited, what }) => `${showHidden(source)}:${line} cites ${showHidden(cited)}: no such ${what}`,
  );
  return answer({ ok, gone }, () => (ok ? 'nothing that instructions cite is gone' : lines), ok);
}

// What agents here already believe. Nothing is written before the person agreed, and then only proposals.
async function learnHere(call: Call): Promise<number> {
  const { text, flag, bearings, terminal, json } = call;
  const learning = await bearings.learning();
  const progress = progressOn(terminal, 'reading transcripts');
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.once('SIGINT', end);
  const learned = await learning.learn({ onProgress: progress.step, signal: ending.signal });
  process.off('SIGINT', end);
  progress.end();
  const { histories, isPartial } = learned;
  const isRepositorys = flag('histories');
  const candidates = isRepositorys ? histories : learned.candidates;
  const best = candidates.slice(0, SHOWN);
  const asks = terminal.canAsk && !json && !flag('list') && !isPartial;
  if (!json) {
    const shown = flag('list') ? candidates : best;
    const title = isRepositorys ? 'In histories of this repository, not your own words' : 'You said';
    const more = candidates.length - shown.length;
    for (const line of [
      ...learnedLines(learned, terminal.columns, flag('list') ? Number.POSITIVE_INFINITY : undefined),
      ...(shown.length > 0 ? [`\n${title} (from unsigned transcripts)`] : []),
      ...candidateLines(shown, terminal.columns),
      ...(more > 0 ? [`  … ${more} more: bearings learn --list`] : []),
      ...(!isRepositorys && histories.length > 0
        ? [`\n${counted(histories.length, 'sentence')} in histories of the repository: bearings learn --histories`]
        : []),
      ...(isPartial ? ['\nEnded before all was read; nothing was written.'] : []),
    ])
      terminal.print(line);
  }
  const id = text('workspace');
  const isMeant = best.length > 0 && (flag('propose') || asks);
  // Before anything is asked: without a workspace no answer would help.
  if (isMeant) await (await bearings.memory()).workspaceId({ id });
  const question = `\nPropose ${best.length === 1 ? 'it' : `these ${best.length}`} and decide now?`;
  const agreed = isMeant && (flag('propose') || (await saysYes(terminal, question)));
  const made = agreed
    ? await learning.proposeLearned(best, { id, isRepositorys })
    : { proposed: 0, present: 0, refused: [] };
  const way = terminal.canAsk ? 'bearings learn asks' : 'add --propose, or run it in a terminal';
  const there = made.present > 0 ? `, ${made.present} known already` : '';
  if (json) terminal.print(JSON.stringify({ ...learned, ...made }, null, 2));
  else if (agreed) {
    for (const { text, reason } of made.refused) terminal.print(showHidden(`left out: ${text} ${reason}`));
    terminal.print(`proposed ${made.proposed}${there}${asks ? '' : ' · waits for you: bearings review'}`);
  } else
    terminal.print(best.length > 0 && !isMeant && !isPartial ? `nothing was proposed: ${way}` : 'nothing was written');
  if (!asks || made.proposed === 0) return EXIT.done;
  return call.runOther(id === undefined ? ['review'] : ['review', id], {});
}

function imageLines(images: readonly PlannedImage[]): string[] {
  return images.flatMap(({ id, isNew, keepsBrief, parts }) => [
    `${showHidden(id)}${isNew ? ', a new workspace' : ''}`,
    ...parts.map(({ file, count }) => `  ${padTo(showHidden(file), 40)}  ${counted(count, 'record')}`),
    ...parts
      .filter(({ file }) => file === 'brief.md')
      .flatMap(({ text }) => text.split('\n').map((line) => `    ${showHidden(line)}`)),
    ...(keepsBrief ? ['  brief.md differs from yours, which stays'] : []),
  ]);
}

// The person's own word: shown whole, asked for by itself, and never over a brief that is there.
async function takeBriefs(
  bearings: Rooms,
  terminal: Terminal,
  items: readonly PlannedImport[],
  id: string | undefined,
): Promise<void> {
  for (const { kind, content, workspace } of items) {
    if (kind !== 'brief') continue;
    const target = { id: workspace ?? id };
    const present = (await (await bearings.memory()).readBrief(target)).raw.trim();
    if (present !== '') {
      terminal.print(present === content.trim() ? 'the brief is there already' : 'there is another brief, which stays');
      continue;
    }
    for (const line of content.split('\n')) terminal.print(`    ${showHidden(line)}`);
    if (await saysYes(terminal, 'Take this as the brief?'))
      await (await bearings.workspaces()).writeFirstBrief(target, content);
  }
}
