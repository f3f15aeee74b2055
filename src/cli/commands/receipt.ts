import { BearingsError, invalidInput } from '../../errors.ts';
import { isRecord } from '../../json-record.ts';
import { parseAge } from '../../loader/bundle/receipt.ts';
import type { ReceiptRequest } from '../../loader/receipts.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';

const DEFAULT_AGE = '45m';
const INPUT_MS = 1000;

export const command: Command = {
  summary: 'is the context an agent started from still true?',
  usage: [
    'bearings receipt check [DIR] [--max-age 45m] [--event EVENT] [--except CODE]... [--hook]',
    'bearings receipt list [DIR]',
  ],
  details: [
    'load --receipt EVENT keeps a receipt in the workspace: bundle, git head, policy, hashes, time.',
    'check ends with exit code 1 and names each reason: none, too old, another head, other',
    'uncommitted changes, a control-plane file that moved, another policy.',
    '--hook answers a PreToolUse hook of a client: nothing where the receipt holds, else a refusal of the edit',
    'that tells the agent what to do. Whatever goes wrong refuses too.',
  ],
  options: {
    'max-age': { type: 'string', value: 'AGE', about: 'such as 45m, 2h or 1d (45m)' },
    event: { type: 'string', value: 'EVENT', about: 'new_session, window_rollover, pre_mutation or pre_closeout' },
    except: { type: 'string', value: 'CODE', multiple: true, about: 'a reason that does not count; repeatable' },
    hook: { type: 'boolean', about: 'answer as a hook before an edit; the exit code stays 0' },
    workspace: { type: 'string', value: 'ID', about: "which workspace (default: the project's own)" },
  },
  waitingFor: 'reading the project',
  maxWords: 2,
  examples: [
    { line: 'bearings receipt check --max-age 2h', about: 'a check for CI' },
    { line: 'bearings receipt check --hook --except dirty_changed', about: 'before each edit of an agent' },
    { line: 'bearings receipt list', about: 'the newest first' },
  ],
  async run(call) {
    const [verb = 'check', dir] = call.words;
    const { bearings, terminal, json, text } = call;
    const request = { dir, event: text('event'), workspace: text('workspace') };
    if (verb === 'list') {
      const receipts = await (await bearings.receipts()).listReceipts(request);
      if (json) terminal.print(JSON.stringify(receipts, null, 2));
      else if (receipts.length === 0) terminal.print('no receipt yet · make one: bearings load --receipt new_session');
      for (const { time, event, bundle_sha256, head } of json ? [] : receipts)
        terminal.print(
          showHidden(`${time}  ${event.padEnd(15)}  ${bundle_sha256.slice(0, 12)}  ${head?.slice(0, 12) ?? ''}`),
        );
      return EXIT.done;
    }
    if (verb !== 'check')
      throw invalidInput(`receipt takes check or list, not "${verb}".`, 'See: bearings receipt --help');
    if (call.flag('hook')) return answerHook(call, request);
    const { ok, reasons, receipt } = await (await bearings.receipts()).checkReceipt({
      ...request,
      ...strictness(call),
    });
    if (json) terminal.print(JSON.stringify({ ok, reasons, receipt }, null, 2));
    else if (ok) terminal.print(`still true · bundle ${showHidden(receipt?.bundle_sha256.slice(0, 12) ?? '')}`);
    else {
      for (const { code, message } of reasons) terminal.print(`${code.padEnd(15)} ${showHidden(message)}`);
      terminal.print(
        `make a new one: bearings load --receipt ${receipt?.event ?? request.event ?? 'EVENT'} with the same flags`,
      );
    }
    return ok ? EXIT.done : EXIT.checkFailed;
  },
};

function strictness({ text, list }: Call): { maxAgeMs: number; except: string[] } {
  const maxAgeMs = parseAge(text('max-age') ?? DEFAULT_AGE);
  if (maxAgeMs === null) throw invalidInput('--max-age takes an age such as 45m, 2h or 1d.', 'For example: 45m');
  return { maxAgeMs, except: list('except') };
}

// A check that can't be made holds nothing: the edit is refused, and the agent is told why and what to do.
async function answerHook(call: Call, request: ReceiptRequest): Promise<number> {
  const { bearings, terminal } = call;
  const input = terminal.canAsk ? '' : await terminal.readInput(INPUT_MS).catch(() => '');
  const event = request.event ?? 'pre_mutation';
  const dir = request.dir ?? folderIn(input);
  const refusal = await (await bearings.receipts()).checkReceipt({ ...request, dir, ...strictness(call) }).then(
    ({ reasons }) => reasons.map(({ message }) => message).join('; '),
    (error: unknown) => (error instanceof BearingsError ? error.message : 'the receipt could not be checked'),
  );
  if (refusal === '') return EXIT.done;
  const permissionDecisionReason = `The context you work from is not known to be true: ${showHidden(refusal)}. Call load_context with receipt "${event}", then try again.`;
  const answer = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason };
  terminal.print(JSON.stringify({ hookSpecificOutput: answer }));
  return EXIT.done;
}

function folderIn(input: string): string | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) && typeof value.cwd === 'string' && value.cwd !== '' ? value.cwd : undefined;
  } catch {
    return undefined;
  }
}
