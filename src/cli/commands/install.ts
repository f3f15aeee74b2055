import type { InstallPlan } from '../../bearings.ts';
import { BearingsError, invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { padTo } from '../views/columns.ts';
import { fileDiff } from '../views/file-diff.ts';

export const command = defineCommand({
  help: `
    bearings install
    bearings install CLIENT [--workspace ID]
    bearings install CLIENT --undo

    CLIENT: claude-code, claude-desktop, cursor, vscode, zed, codex, gemini-cli, windsurf,
    copilot-cli, opencode.
    Shows the change to the client’s own files, asks, and writes nothing else. --undo gives each
    file back byte for byte; if it changed since, only our entry goes. Claude Code, Codex and
    Gemini CLI also get a hook, so that context comes by itself at the start of a session.
    A file that others share starts bearings by its name on the PATH; any other by its path on
    this machine. Nothing of a project has a say in what is started.
    In a repository with a workspace the project’s file is meant, else the user’s.

    --workspace ID  the workspace the client works in
    --scope user|project  which of the client’s files
    --name NAME  name of the entry (default: bearings)
    --rules  only the rules of the client: no deciding, no writing of memory
    --guard  only the client’s own memory: put it behind the gate
    --no-hook  leave the hook out
    --undo  take it back
    --print  only show what would change
    --yes  do not ask

    bearings install  which clients are set up
    bearings install claude-code  show, ask, write
    bearings install cursor --print  only show
    bearings install cursor --undo  as it was before
  `,
  maxWords: 1,
  async run(call) {
    const [client] = call.words;
    return client === undefined ? list(call) : change(call, client);
  },
});

async function list({ bearings, terminal, json }: Call): Promise<number> {
  const states = await (await bearings.clients()).clientStates();
  if (json) terminal.print(JSON.stringify(states, null, 2));
  else
    for (const { client, title, installed } of states) {
      const where = installed.map(({ file, workspace }) => `${file}${workspace ? ` · ${workspace}` : ''}`).join(', ');
      terminal.print(
        `${padTo(client, 15)} ${padTo(title, 15)} ${showHidden(where) || terminal.paint('dim', 'not set up')}`,
      );
    }
  if (!json) terminal.print(`\nset one up: bearings install ${states[0]?.client ?? 'CLIENT'}`);
  return EXIT.done;
}

async function change({ flag, text, bearings, terminal, json }: Call, client: string): Promise<number> {
  const scope = text('scope');
  if (scope !== undefined && scope !== 'user' && scope !== 'project')
    throw invalidInput('--scope is user or project.', 'For example: --scope user');
  const name = text('name');
  const undo = flag('undo');
  const clients = await bearings.clients();
  const plan = undo
    ? await clients.planUndo({ client, scope, name, guard: flag('guard') })
    : await clients.planInstall({
        client,
        scope,
        name,
        workspace: text('workspace'),
        hook: !flag('no-hook'),
        rules: flag('rules'),
        guard: flag('guard'),
      });
  const changes = plan.changes.filter(({ how }) => how !== 'same');
  const report = (applied: boolean) =>
    terminal.print(JSON.stringify({ ...plan, changes: plan.changes.map(withoutTexts), applied }, null, 2));
  const isAsked = flag('print') || !flag('yes');
  if (!json) show(undo ? { ...plan, changes: oneForEachFile(plan.changes) } : plan, terminal, isAsked);
  if (flag('print') || changes.length === 0) {
    if (json) report(false);
    return EXIT.done;
  }
  if (!flag('yes') && !(await isYes(terminal, undo, json))) {
    terminal.print('nothing changed');
    return EXIT.done;
  }
  if (undo) await clients.applyUndo(plan, name);
  else await clients.applyInstall(plan, name);
  if (json) report(true);
  else terminal.print(undo ? 'taken back' : `written. ${plan.next}`);
  if (!json && !undo && !flag('guard') && GUARDABLE.includes(client))
    terminal.print(`its own memory, too, can wait for your yes: bearings install ${client} --guard`);
  return EXIT.done;
}

async function isYes(terminal: Call['terminal'], undo: boolean, json: boolean): Promise<boolean> {
  if (!terminal.canAsk || json)
    throw new BearingsError('awaiting_person', 'install asks before it writes, so it needs a terminal.', {
      hint: 'Run it in a terminal, or use --yes.',
    });
  return /^y(?:es)?$/i.test((await terminal.ask(undo ? 'Take it back? (y/n) ' : 'Write it? (y/n) '))?.trim() ?? '');
}

/** Clients with a memory of their own. */
const GUARDABLE = ['claude-code', 'codex', 'gemini-cli'];

const WOULD: Record<string, string> = {
  add: 'would be added',
  change: 'our entry would change',
  same: 'is set up already',
  restored: 'would be as it was before, byte for byte',
  removed: 'has changed since: only our entry would go',
  gone: 'holds no entry of ours any more',
};
const DOES: Record<string, string> = {
  ...WOULD,
  add: 'is added',
  change: 'our entry changes',
  restored: 'goes back to what it was before, byte for byte',
  removed: 'has changed since: only our entry goes',
};

type Change = InstallPlan['changes'][number];

function show(plan: InstallPlan, terminal: Call['terminal'], isAsked: boolean): void {
  const says = isAsked ? WOULD : DOES;
  for (const { what, file, before, after, how } of plan.changes) {
    const added = how === 'add' ? `: the ${what} ` : ' ';
    terminal.print(`${terminal.paint('bold', showHidden(file))}${added}${says[how]}`);
    if (before !== after) for (const line of fileDiff(before, after, terminal)) terminal.print(line);
  }
  if (plan.why !== '') terminal.print(terminal.paint('dim', `started by ${plan.why}`));
  if (plan.why !== '' && plan.workspace === null)
    terminal.print(terminal.paint('dim', 'the workspace is that of the project the client works on'));
}

// An undo goes through the changes from the last to the first, and a file may have several: the person sees it once, as
// it is and as it will be.
function oneForEachFile(changes: readonly Change[]): Change[] {
  const files = new Map<string, Change>();
  for (const change of [...changes].reverse()) {
    const earlier = files.get(change.path);
    const hows = [earlier?.how, change.how];
    const how = (['removed', 'restored'] as const).find((each) => hows.includes(each)) ?? change.how;
    files.set(change.path, earlier ? { ...earlier, after: change.after, how } : change);
  }
  return [...files.values()].reverse();
}

function withoutTexts({ what, file, how, before, after }: Change) {
  return { what, file, how, creates: before === null && after !== null, removes: before !== null && after === null };
}
