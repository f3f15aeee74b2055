import type { Proof } from '../../gate/keys/confirm-level.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needed, needsTerminal, subCommand } from '../command.ts';
import { withProof } from '../proof.ts';
import { table } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings workspaces [list]
    bearings workspaces rename ID NEW
    bearings workspaces remove ID
    bearings workspaces link ID|FOLDER
    bearings workspaces unlink [FOLDER]

    remove asks on a terminal, then moves the folder aside: nothing is deleted. link: the git worktree or clone you
    are in uses another workspace of the same repository, or one of the home, in place of a .bearings/ of its own.

    bearings workspaces  all of them, and which folders share one
    bearings workspaces link ../main  share what that worktree uses
  `,
  maxWords: 3,
  async run(call) {
    return subCommand(call, 'workspaces', { list, rename, remove, link, unlink });
  },
});

async function list({ bearings, answer }: Call): Promise<number> {
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

async function rename(call: Call): Promise<number> {
  const { bearings, answer } = call;
  const [given, to] = call.words;
  const id = named('rename', given);
  const next = needed(to, 'rename needs the new id too.', `For example: bearings workspaces rename ${id} new_name`);
  const renamed = await withProof(call, `Rename ${id} to ${next}`, async (proof) =>
    (await bearings.workspaces()).renameWorkspace(id, next, proof),
  );
  return answer(renamed, () =>
    renamed === null ? 'nothing changed' : showHidden(`${id} is now ${renamed.id} · ${renamed.folder}`),
  );
}

async function remove(call: Call): Promise<number> {
  const { bearings, terminal } = call;
  const id = named('remove', call.words[0]);
  if (!terminal.canAsk) throw needsTerminal('remove asks before it acts, so it needs a terminal.');
  const typed = await terminal.ask(`Type ${id} to move this workspace aside: `);
  const remove = async (proof: Proof) => (await bearings.workspaces()).removeWorkspace(id, proof);
  const removed = typed?.trim() === id ? await withProof(call, `Move ${id} aside`, remove) : null;
  // A path can be copied: it is not folded.
  terminal.print(
    removed === null ? 'nothing changed' : showHidden(`${removed.id} is no longer listed · moved to ${removed.kept}`),
  );
  return EXIT.done;
}

async function link({ words, bearings, answer }: Call): Promise<number> {
  const linked = await (await bearings.workspaces()).linkWorkspace(named('link', words[0]));
  const { folder, id, workspace, own } = linked;
  const stays = `its own "${own}" stays in .bearings/ and is no longer read here: bearings workspaces unlink`;
  return answer(linked, () =>
    [`${folder} now uses ${id} · ${workspace}`, ...(own === null ? [] : [stays])].map((line) => showHidden(line)),
  );
}

async function unlink({ words: [folder], bearings, answer }: Call): Promise<number> {
  const unlinked = await (await bearings.workspaces()).unlinkWorkspace(folder);
  return answer(unlinked, () => showHidden(`${unlinked.folder} no longer uses ${unlinked.id}; nothing is deleted`));
}

function named(verb: string, id: string | undefined): string {
  return needed(id, `Which workspace? "${verb}" needs an id.`, 'See all: bearings workspaces');
}
