import { BearingsError, invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needsTerminal, oneOf } from '../command.ts';
import { withProof } from '../proof.ts';
import { table } from '../views/columns.ts';

const VERBS = { list, rename, remove, link, unlink };

export const command = defineCommand({
  help: `
    bearings workspaces [list]
    bearings workspaces rename ID NEW
    bearings workspaces remove ID
    bearings workspaces link [ID|FOLDER] [--yes]
    bearings workspaces unlink [FOLDER]

    remove asks on a terminal, then moves the folder aside: nothing is deleted.
    link: the git worktree or clone you are in uses another workspace of the same repository, or one of
    the home. Without ID: the one that its other worktrees or clones use. The link wins over a .bearings/
    in the folder itself, whose files stay as they are; link asks about it first.

    --yes  link: do not ask about the folder's own workspace

    bearings workspaces  all of them, and which folders share one
    bearings workspaces rename a b  give one another id
    bearings workspaces link  share what the other worktrees use
  `,
  maxWords: 3,
  async run(call) {
    const [verb = 'list'] = call.words;
    await VERBS[await oneOf('workspaces', verb, Object.keys(VERBS) as (keyof typeof VERBS)[])](call);
    return EXIT.done;
  },
});

async function list({ bearings, answer }: Call): Promise<unknown> {
  const links = await (await bearings.workspaces()).listLinks();
  const all = (await (await bearings.workspaces()).listWorkspaces()).map((workspace) => ({
    ...workspace,
    links: links.filter(({ workspace: folder }) => folder === workspace.folder).map(({ folder }) => folder),
  }));
  const rows = all.flatMap(({ id, folder, links }) => [
    [showHidden(id), showHidden(folder)],
    ...links.map((link) => ['', showHidden(`used by ${link}`)]),
  ]);
  return answer(all, () => [
    ...(all.length === 0 ? ['There are no workspaces yet. Make one: bearings init NAME'] : table(rows)),
    ...links
      .filter(({ state }) => state !== 'followed')
      .map(({ folder, id, state }) => showHidden(`${folder} is linked to ${id}, which is not followed: ${state}`)),
  ]);
}

async function rename(call: Call): Promise<unknown> {
  const { bearings, terminal, answer } = call;
  const [, given, to] = call.words;
  const id = needed('rename', given);
  if (to === undefined)
    throw invalidInput('rename needs the new id too.', `For example: bearings workspaces rename ${id} new_name`);
  const renamed = await withProof(call, `Rename ${id} to ${to}`, async (proof) =>
    (await bearings.workspaces()).renameWorkspace(id, to, proof),
  );
  if (renamed === null) return terminal.print('nothing changed');
  return answer(renamed, () => showHidden(`${id} is now ${renamed.id} · ${renamed.folder}`));
}

async function remove(call: Call): Promise<void> {
  const { bearings, terminal } = call;
  const [, given] = call.words;
  const id = needed('remove', given);
  if (!terminal.canAsk) throw needsTerminal('remove asks before it acts, so it needs a terminal.');
  const answer = await terminal.ask(`Type ${id} to move this workspace aside: `);
  if (answer?.trim() !== id) return terminal.print('nothing changed');
  const removed = await withProof(call, `Move ${id} aside`, async (proof) =>
    (await bearings.workspaces()).removeWorkspace(id, proof),
  );
  if (removed === null) return terminal.print('nothing changed');
  terminal.print(showHidden(`${removed.id} is no longer listed · moved to ${removed.kept}`));
}

async function link(call: Call): Promise<unknown> {
  const { bearings, terminal, answer } = call;
  const [, wanted] = call.words;
  const workspaces = await bearings.workspaces();
  const plan = await workspaces.planLink(wanted);
  if (plan.own !== null && !call.flag('yes') && !(await leavesOwn(call, plan.own)))
    return terminal.print('nothing changed');
  const linked = await workspaces.linkWorkspace(wanted);
  return answer(linked, () => showHidden(`${linked.folder} now uses ${linked.id} · ${linked.workspace}`));
}

async function leavesOwn({ terminal, json }: Call, own: string): Promise<boolean> {
  if (!terminal.canAsk || json)
    throw new BearingsError('awaiting_person', `This folder has the workspace "${own}" in its own .bearings/.`, {
      hint: 'To use the other one anyway, run it in a terminal, or use --yes.',
    });
  const question = `This folder's own "${own}" stays in .bearings/ and is no longer read here. Continue? (y/n) `;
  return /^y(?:es)?$/i.test((await terminal.ask(question))?.trim() ?? '');
}

async function unlink({ words: [, folder], bearings, answer }: Call): Promise<unknown> {
  const unlinked = await (await bearings.workspaces()).unlinkWorkspace(folder);
  return answer(unlinked, () => showHidden(`${unlinked.folder} no longer uses ${unlinked.id}; nothing is deleted`));
}

function needed(verb: string, id: string | undefined): string {
  if (id !== undefined) return id;
  throw invalidInput(`Which workspace? "${verb}" needs an id.`, 'See all: bearings workspaces');
}
