import { BearingsError, invalidInput, notFound } from '../errors.ts';
import { appendLine } from '../files/append.ts';
import { join } from '../files/paths.ts';
import { sha256 } from '../files/sha256.ts';
import { ioError } from '../files/system-error.ts';
import { gitState } from '../project/io/git-state.ts';
import type { Project } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import type { Bundle } from './bundle/bundle.ts';
import { RECEIPT_EVENTS, type ReceiptEvent, type ReceiptState, receiptLine, receiptOf } from './bundle/receipt.ts';
import { isSkimmed } from './bundle/skim.ts';

export const RECEIPTS_FILE = 'receipts.jsonl';

export function assertEvent(event: string, option = '--receipt'): ReceiptEvent {
  const known = RECEIPT_EVENTS.find((name) => name === event);
  if (known) return known;
  throw invalidInput(`An event is ${RECEIPT_EVENTS.join(', ')}.`, `For example: ${option} pre_mutation`);
}

// Found before anything is built: without a place for it there is no receipt.
export async function receiptFile(app: AppContext, root: string, id: string | undefined): Promise<Workspace> {
  const settings = await app.settings();
  try {
    return settings.workspace({ id, root });
  } catch (error) {
    if (id !== undefined || !(error instanceof BearingsError) || error.code !== 'not_found') throw error;
    throw notFound('A receipt needs a workspace, and there is none here.', 'Make one: bearings init');
  }
}

export async function writeReceipt(
  app: AppContext,
  { bundle, project, event, place }: { bundle: Bundle; project: Project; event: ReceiptEvent; place: Workspace },
): Promise<void> {
  const state = await receiptState(app, bundle, project);
  const receipt = receiptOf(bundle, state, { time: app.now().toISOString(), event });
  try {
    appendLine(join(place.folder, RECEIPTS_FILE), receiptLine(receipt), { mode: 0o644, scope: place.scope });
  } catch (error) {
    throw ioError("The receipt can't be written", error);
  }
}

export async function receiptState(app: AppContext, bundle: Bundle, project: Project): Promise<ReceiptState> {
  const control_plane: Record<string, string | null> = {};
  for (const { path, status } of bundle.control_plane.files) {
    if (status === 'missing') continue;
    const given = bundle.files.find((file) => file.path === path && isSkimmed(path) && file.truncated);
    const reading = given ? null : project.read(path, 1);
    control_plane[path] = given ? sha256(given.excerpt) : reading?.status === 'ok' ? reading.value.sha256 : null;
  }
  const { policy } = bundle;
  return {
    ...(await gitState(project.root, app.variables)),
    policy: { asked: bundle.arguments.policy, name: policy.name, sha256: policy.sha256 },
    control_plane,
  };
}
