import { stripVTControlCharacters } from 'node:util';
import type { InstallPlan } from '../../clients/install.ts';
import { BearingsError, invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needsTerminal, oneOf } from '../command.ts';
import { saysYes } from '../terminal/terminal.ts';
import { table } from '../views/columns.ts';
import { fileDiff } from '../views/file-diff.ts';

export const command = defineCommand({
  help: `
    bearings install [--list]
    bearings install CLIENT [--workspace ID | --undo]

    Without CLIENT: finds the clients of this machine that are not set up yet, shows every change, and asks once.
    CLIENT: claude-code, claude-desktop, cursor, vscode, zed, codex, gemini-cli, windsurf, copilot-cli, opencode.

    Shows the change to the client’s own files, asks, and writes nothing else. --undo gives each file back byte for
    byte; if it changed since, only our entry goes. Clients that can call a hook also get hooks, so that context
    comes by itself. In a repository with a workspace the project’s file is meant, else the user’s.

    --list  which clients are here, and which are set up
    --workspace ID  the workspace the client works in
    --scope user|project  which of the client’s files
    --rules  only the rules of the client: no deciding, no writing of memory
    --guard  only the client’s own memory: put it behind the gate
    --no-hook  leave the hook out
    --undo  take it back, in all of its files unless --scope names one
    --print  only show what would change
    --yes  do not ask

    bearings install  all that are found here
    bearings install cursor --undo  as it was before
  `,
  maxWords: 1,
  async run(call) {
    const [client] = call.words;
    if (client !== undefined) return change(call, [client]);
    if (call.flag('undo')) throw invalidInput('Which client?', 'For example: bearings install cursor --undo');
    const states = await (await call.bearings.clients()).clientStates();
    const open = states.filter(({ found, installed }) => found && installed.length === 0);
    const isAsked = call.flag('yes') || call.flag('print') || (call.terminal.canAsk && !call.json);
    if (call.flag('list') || open.length === 0 || !isAsked) return list(call, states);
    return change(
      call,
      open.map((state) => state.client),
    );
  },
});

type States = Awaited<ReturnType<Awaited<ReturnType<Call['bearings']['clients']>>['clientStates']>>;

function list({ answer }: Call, states: States): number {
  const open = states.filter(({ found, installed }) => found && installed.length === 0);
  return answer(states, () => [
    ...table(
      states.map(({ client, title, found, installed }) => {
        const files = installed.map(({ file, workspace }) => `${file}${workspace ? ` · ${workspace}` : ''}`).join(', ');
        return [client, title, showHidden(files) || (found ? 'found, not set up' : 'not set up')];
      }),
    ),
    '',
    open.length > 0
      ? 'set up all that are found: bearings install'
      : `set one up: bearings install ${states[0]?.client}`,
  ]);
}

// Every change is shown before the one question; what is refused for one client says so and stops nothing else.
export async function change(call: Call, names: readonly string[], keep = false): Promise<number> {
  const { flag, text, bearings, terminal, json } = call;
  const scope =
    text('scope') === undefined ? undefined : await oneOf('--scope', text('scope') ?? '', ['user', 'project']);
  const undo = flag('undo');
  const clients = await bearings.clients();
  const which = { scope, guard: flag('guard'), rules: flag('rules'), keep };
  const options = { ...which, workspace: text('workspace'), hook: !flag('no-hook') };
  const plans: InstallPlan[] = [];
  for (const client of names) {
    try {
      const plan = await (undo ? clients.planUndo({ client, ...which }) : clients.planInstall({ client, ...options }));
      const isSeen = keep && plans.some(({ changes }) => changes[0]?.path === plan.changes[0]?.path);
      if (!isSeen) plans.push(plan);
    } catch (error) {
      if (names.length === 1 || !(error instanceof BearingsError)) throw error;
      terminal.warn(showHidden(`${client}: ${error.message}`));
    }
  }
  const report = (applied: boolean): number => {
    const all = plans.map((plan) => ({ ...plan, changes: plan.changes.map(withoutTexts), applied }));
    if (json) terminal.print(JSON.stringify(names.length === 1 ? all[0] : all, null, 2));
    return EXIT.done;
  };
  for (const plan of json ? [] : plans) {
    show(
      { ...plan, changes: oneForEachFile(plan.changes, undo) },
      terminal,
      flag('print') || !flag('yes') ? WOULD : DOES,
    );
    if (keep) terminal.print(terminal.paint('dim', `read by ${plan.title}${undo ? ': it goes for all of them' : ''}`));
  }
  const open = plans.filter(({ changes }) => changes.some(({ how }) => how !== 'same'));
  if (flag('print') || open.length === 0) return report(false);
  if (!flag('yes')) {
    if (!terminal.canAsk || json)
      throw needsTerminal(
        `${keep ? 'export --keep' : 'install'} asks before it writes, so it needs a terminal.`,
        'Run it in a terminal, or use --yes.',
      );
    // What scrolled by, once more beside the question.
    const files = (plan: InstallPlan) => [...new Set(plan.changes.map(({ file }) => showHidden(file)))].join(', ');
    if (open.length > 1)
      for (const line of ['', ...table(open.map((plan) => [plan.title, files(plan)]))]) terminal.print(line);
    const all = open.length === 1 ? 'Write it?' : `${keep ? 'Write' : 'Set up'} all ${open.length}?`;
    if (!(await saysYes(terminal, undo ? 'Take it back?' : all))) {
      terminal.print('nothing changed');
      return EXIT.done;
    }
  }
  for (const plan of open) {
    await (undo ? clients.applyUndo(plan) : clients.applyInstall(plan));
    const written = open.length === 1 ? 'written.' : `${keep ? plan.changes[0]?.file : plan.client}: written.`;
    if (!json) terminal.print(undo ? 'taken back' : `${written} ${plan.next}`);
    if (!json && !undo && !keep && !flag('guard') && GUARDABLE.includes(plan.client))
      terminal.print(`its own memory, too, can wait for your yes: bearings install ${plan.client} --guard`);
  }
  return report(true);
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
type Shown = Omit<Change, 'what'> & { what: string };

function show(
  plan: Omit<InstallPlan, 'changes'> & { changes: Shown[] },
  terminal: Call['terminal'],
  says: typeof WOULD,
): void {
  for (const { what, file, before, after, how } of plan.changes) {
    const added = how === 'add' ? `: the ${what} ` : ' ';
    terminal.print(`${terminal.paint('bold', showHidden(file))}${added}${says[how]}`);
    // Brackets that stand alone say nothing.
    const lines = before === after ? [] : fileDiff(before, after, terminal);
    for (const line of lines) if (/[^\s+{}[\],-]/.test(stripVTControlCharacters(line))) terminal.print(line);
  }
}

// A file may have several changes, and an undo goes through them from the last to the first: the person sees it once, as it is
// and as it will be.
function oneForEachFile(changes: readonly Change[], undo: boolean): Shown[] {
  const files = new Map<string, Shown>();
  for (const change of undo ? changes.toReversed() : changes) {
    const earlier = files.get(change.path);
    const hows = [earlier?.how, change.how];
    const how = (['removed', 'restored', 'change', 'add'] as const).find((each) => hows.includes(each)) ?? change.how;
    const what = [earlier?.what, change.what].filter(Boolean).join(', ');
    files.set(change.path, { ...(earlier ?? change), what, after: change.after, how });
  }
  return undo ? [...files.values()].reverse() : [...files.values()];
}

function withoutTexts({ what, file, how, before, after }: Change) {
  return { what, file, how, creates: before === null && after !== null, removes: before !== null && after === null };
}
