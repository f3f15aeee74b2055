import { typedName } from '../../closest.ts';
import type { TrustAnswer } from '../../loader/run-adapters.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Task } from '../../tasks/template/template.ts';
import { type Call, EXIT, needsTerminal } from '../command.ts';
import { askPassphrase, withProof } from '../proof.ts';
import { saysYes } from '../terminal/terminal.ts';
import { counted } from './columns.ts';

// Shows exactly what would run, then asks. There is no flag that says yes.
export async function allowAdapters(call: Call, name: string | undefined): Promise<number> {
  const { bearings, terminal, text } = call;
  const all = await (await bearings.adapters()).trustQuestions(name, { policy: text('policy') });
  const open = all.filter(({ allowed }) => !allowed);
  if (open.length === 0)
    terminal.print(
      all.length === 0 ? 'nothing here needs your permission' : 'allowed already · see all: bearings policy allowed',
    );
  else await allowAll(call, open, 'Run it in a terminal: only a person may allow a program to run.', 'adapter');
  return EXIT.done;
}

// Before anything runs: every program of a template that the person has not allowed here. False: something is not.
export async function allowScripts(call: Call, task: Task, file: string): Promise<boolean> {
  const open = (await (await call.bearings.runs()).scriptQuestions(task)).filter(({ allowed }) => !allowed);
  return allowAll(call, open, `Look at it in a terminal: bearings check --allow ${typedName(file)}`, 'program');
}

async function allowAll(call: Call, open: readonly TrustAnswer[], hint: string, noun: string): Promise<boolean> {
  const { bearings, terminal } = call;
  if (open.length === 0) return true;
  if (!terminal.canAsk) throw needsTerminal(`${counted(open.length, noun)} must be allowed first, by a person.`, hint);
  if ((await (await bearings.gate()).confirmLevel()) === 'passkey') {
    const isAllowed = await allowOnPage(call, open);
    terminal.print(isAllowed ? 'allowed · see all: bearings policy allowed' : 'not allowed');
    return isAllowed;
  }
  let isAllowed = true;
  for (const question of open) {
    terminal.print(['', ...linesOf(question)].join('\n'));
    if (!(await saysYes(terminal, `allow ${question.adapter.name} to run?`))) {
      terminal.print('not allowed');
      isAllowed = false;
      continue;
    }
    const passphrase = (await askPassphrase(call)) ?? undefined;
    await (await bearings.adapters()).allowAdapter(question, { passphrase });
    terminal.print(`allowed · take it back: bearings policy revoke ${typedName(question.adapter.name)}`);
  }
  return isAllowed;
}

// One yes for all that is listed there: the authenticator signs the list.
function allowOnPage({ bearings, openPage }: Call, questions: readonly TrustAnswer[]): Promise<boolean> {
  return openPage({
    title: questions.length === 1 ? 'Allow this program to run?' : `Allow these ${questions.length} programs to run?`,
    lines: questions.flatMap((question) => [...linesOf(question), '']),
    kind: 'sign',
    async run({ act }) {
      for (const question of questions) await (await bearings.adapters()).allowAdapter(question, { passkey: act });
    },
  });
}

function linesOf({ adapter, shownProject, files, sha256 }: TrustAnswer): string[] {
  const isScript = adapter.name.startsWith('script ');
  const asks = adapter.kind === 'mcp' ? (adapter.tool ?? adapter.resource ?? '') : null;
  return [
    isScript ? ['program', adapter.name] : ['adapter', `${adapter.name} (${adapter.kind})`],
    ['project', shownProject],
    ['runs', adapter.command.map((word) => JSON.stringify(word)).join(' ')],
    ...(asks === null ? [] : [['asks for', asks]]),
    ...(adapter.kind === 'mcp' && adapter.arguments ? [['with', JSON.stringify(adapter.arguments)]] : []),
    ['may see', ['PATH, HOME and the like', ...(adapter.env ?? [])].join(', ')],
    // What a template says of its program may change without being asked about again.
    ...(isScript ? [] : [['limits', `${adapter.timeout_ms} ms, ${adapter.max_bytes} bytes`]]),
    ...files.map((file) => ["project's own", `${file.path}  ${file.sha256?.slice(0, 12) ?? 'a folder: not watched'}`]),
    ['as', sha256.slice(0, 12)],
  ].map(([label = '', value = '']) => `${label.padEnd(14)} ${showHidden(value)}`);
}

export async function listAllowed({ bearings, answer }: Call): Promise<number> {
  const allowed = await (await bearings.adapters()).allowedAdapters();
  const none = 'no adapter of a project is allowed to run';
  const lines = allowed.flatMap(({ adapter, project, command, at }) => [
    showHidden(`${adapter}  ${project}  ${at.slice(0, 10)}`),
    showHidden(`  ${command.map((word) => JSON.stringify(word)).join(' ')}`),
  ]);
  return answer(allowed, () => (allowed.length === 0 ? none : lines));
}

export async function revokeAllowed(call: Call, name: string | undefined): Promise<number> {
  const { bearings, answer } = call;
  const revoked = await withProof(call, 'Take back what may run here', async (proof) =>
    (await bearings.adapters()).revokeAdapters(name, proof),
  );
  return answer({ revoked: revoked ?? 0 }, () => {
    if (revoked === null) return 'nothing changed';
    return revoked === 0 ? 'nothing was allowed here' : `took back ${counted(revoked, 'permission')}`;
  });
}
