import { BearingsError, invalidInput } from '../../errors.ts';
import { isRecord, parseJson } from '../../json.ts';
import type { BundleDiff } from '../../loader/bundle/diff.ts';
import { parseAge } from '../../loader/bundle/receipt.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needed } from '../command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, grouped, padTo } from '../views/columns.ts';

const DEFAULT_AGE = '45m';
const INPUT_MS = 1000;
const MAX_SHOWN = 100;
const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const STYLES = { added: 'green', removed: 'red', changed: 'yellow' } as const;

export const command = defineCommand({
  help: `
    bearings drift BUNDLE [--project DIR] [--slice NAME]
    bearings drift A B
    bearings drift --receipt [--max-age 45m] [--event EVENT] [--except CODE]... [--hook]

    Builds a bundle of \`bearings load --out FILE\` again with its own arguments and compares; with two bundles,
    compares them. Ends with exit code 1 when the project would give another one now, and names what moved: fit
    for a check in CI.

    With --receipt: whether the context an agent started from still holds: load --receipt EVENT keeps a receipt in
    the workspace (bundle, git head, policy, hashes, time). Exit code 1, with each reason: none, too old, another
    head, other uncommitted changes, a control-plane file that moved, another policy. --hook answers a PreToolUse
    hook of a client: nothing where the receipt holds; else, and whatever goes wrong, a refusal of the edit.

    --project DIR  the project (default: this folder)
    --slice NAME  compare only this slice: control_plane is what must be stable
    --receipt  check the newest receipt in place of a bundle
    --max-age AGE  of a receipt, such as 45m, 2h or 1d (45m)
    --event EVENT  new_session, window_rollover, pre_mutation or pre_closeout
    --except CODE …  a reason that does not count; repeatable
    --hook  answer as a hook before an edit; the exit code stays 0
    --workspace ID  whose receipts (default: the project's own)

    bearings drift bundle.json --slice control_plane  for CI: what follows the task may move
    bearings drift --receipt --hook --except dirty_changed  before each edit of an agent
  `,
  maxWords: 2,
  async run(call) {
    const { flag, text, bearings, terminal, answer } = call;
    if (flag('receipt')) return flag('hook') ? answerHook(call) : checkReceipt(call);
    const [first, other] = call.words;
    const path = needed(first, 'drift needs a bundle.', 'Make one with: bearings load --out bundle.json');
    const loader = await bearings.loader();
    const bundle = await loader.readBundle(path);
    if (other !== undefined) {
      const diff = await loader.diffBundles(bundle, await loader.readBundle(other));
      return answer(diff, () => (diff.same ? 'the same bundle, byte by byte' : diffLines(diff, terminal)));
    }
    const { drifted, diff, now } = await loader.driftOf(bundle, { dir: text('project'), slice: text('slice') });
    const same = `no drift · bundle ${now.bundle_sha256.slice(0, 12)}`;
    // Of one that somebody changed by hand nothing says what the flags were.
    const way = diff.changes.some(({ part, name }) => part === 'bundle' && name === 'first')
      ? 'the bundle itself was edited: take the one you had, or build it again with bearings load --out'
      : 'where it is meant, build it again: bearings load --out with the same flags';
    const next = `${counted(diff.changes.length, 'change')} · ${way}`;
    const lines = () => (drifted ? [...diffLines(diff, terminal), next] : same);
    return answer({ drifted, bundle_sha256: now.bundle_sha256, ...diff }, lines, !drifted);
  },
});

// One line per thing that moved: sign, part, name, what happened.
function diffLines({ changes }: BundleDiff, { paint }: Terminal): string[] {
  const width = Math.max(0, ...changes.map(({ part }) => part.length));
  const lines = changes.slice(0, MAX_SHOWN).map(({ part, change, name, detail }) => {
    const left = `${paint(STYLES[change], SIGNS[change])} ${padTo(part, width)}`;
    return `${left}  ${showHidden(name)}  ${paint('dim', showHidden(detail))}`;
  });
  const more = changes.length - MAX_SHOWN;
  return more > 0 ? [...lines, `  and ${grouped(more)} more: --json shows all`] : lines;
}

function receiptRequest({ text, list }: Call) {
  const maxAgeMs = parseAge(text('max-age') ?? DEFAULT_AGE);
  if (maxAgeMs === null) throw invalidInput('--max-age takes an age such as 45m, 2h or 1d.', 'For example: 45m');
  const where = { dir: text('project'), event: text('event'), workspace: text('workspace') };
  return { ...where, maxAgeMs, except: list('except') };
}

async function checkReceipt(call: Call): Promise<number> {
  const request = receiptRequest(call);
  const { ok, reasons, receipt } = await (await call.bearings.receipts()).checkReceipt(request);
  const lines = [
    ...reasons.map(({ code, message }) => `${code.padEnd(15)} ${showHidden(message)}`),
    `make a new one: bearings load --receipt ${receipt?.event ?? request.event ?? 'EVENT'} with the same flags`,
  ];
  const held = `still true · bundle ${showHidden(receipt?.bundle_sha256.slice(0, 12) ?? '')}`;
  return call.answer({ ok, reasons, receipt }, () => (ok ? held : lines), ok);
}

// A check that can't be made holds nothing: the edit is refused, and the agent is told why and what to do.
async function answerHook(call: Call): Promise<number> {
  const { bearings, terminal } = call;
  const request = receiptRequest(call);
  const input = terminal.canAsk ? '' : await terminal.readInput(INPUT_MS).catch(() => '');
  const refusal = await (await bearings.receipts())
    .checkReceipt({ ...request, dir: request.dir ?? folderIn(input) })
    .then(
      ({ reasons }) => reasons.map(({ message }) => message).join('; '),
      (error: unknown) => (error instanceof BearingsError ? error.message : 'the receipt could not be checked'),
    );
  if (refusal === '') return EXIT.done;
  const permissionDecisionReason = `The context you work from is not known to be true: ${showHidden(refusal)}. Call load_context with receipt "${request.event ?? 'pre_mutation'}", then try again.`;
  const answer = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason };
  terminal.print(JSON.stringify({ hookSpecificOutput: answer }));
  return EXIT.done;
}

function folderIn(input: string): string | undefined {
  const value = parseJson(input);
  return isRecord(value) && typeof value.cwd === 'string' && value.cwd !== '' ? value.cwd : undefined;
}
