import { BearingsError, invalidInput, ioError, notFound } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { join } from '../files/paths.ts';
import { readLastRecords } from '../files/read-file.ts';
import { appendLine } from '../files/write-file.ts';
import { gitState } from '../project/io/git-state.ts';
import type { Project } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import type { Bundle } from './bundle/bundle.ts';
import {
  parseReceipt,
  RECEIPT_EVENTS,
  type Receipt,
  type ReceiptEvent,
  type ReceiptState,
  receiptLine,
  receiptOf,
  STALE_CODES,
  type StaleReason,
  staleReasons,
} from './bundle/receipt.ts';
import { isSkimmed } from './bundle/skim.ts';
import { folderOf } from './choose-policy.ts';

export interface ReceiptRequest {
  dir?: string | undefined;
  workspace?: string | undefined;
  event?: string | undefined;
}

export interface CheckRequest extends ReceiptRequest {
  maxAgeMs: number;
  /** Reasons that do not count. */
  except?: readonly string[] | undefined;
}

export interface ReceiptCheck {
  ok: boolean;
  reasons: StaleReason[];
  receipt: Receipt | null;
}

type Build = (request: { dir: string | undefined; policy: string | null }) => Promise<Built>;
type Built = { bundle: Bundle; project: Project };

const RECEIPTS_FILE = 'receipts.jsonl';
const LOOKED_BACK = 1_000;

function assertEvent(event: string, option: string): ReceiptEvent {
  const known = RECEIPT_EVENTS.find((name) => name === event);
  if (known) return known;
  throw invalidInput(`An event is ${RECEIPT_EVENTS.join(', ')}.`, `For example: ${option} pre_mutation`);
}

// Found before anything is built: without a place for it there is no receipt.
export async function receiptWriter(app: AppContext, named: string, root: string, workspace: string | undefined) {
  const event = assertEvent(named, '--receipt');
  const { folder, scope } = await workspaceOf(app, root, workspace);
  return async ({ bundle, project }: Built): Promise<void> => {
    const state = await receiptState(app, bundle, project);
    const receipt = receiptOf(bundle, state, { time: app.now().toISOString(), event });
    try {
      appendLine(join(folder, RECEIPTS_FILE), receiptLine(receipt), { mode: 0o644, scope });
    } catch (error) {
      throw ioError("The receipt can't be written", error);
    }
  };
}

/** Newest first. */
async function recentReceipts(app: AppContext, { dir, workspace, event }: ReceiptRequest): Promise<Receipt[]> {
  if (event !== undefined) assertEvent(event, '--event');
  const { folder, scope } = await workspaceOf(app, folderOf(app, dir), workspace);
  const read = readLastRecords(join(folder, RECEIPTS_FILE), scope, LOOKED_BACK);
  if (read.status === 'unreadable') throw new BearingsError('io_error', `The receipts can't be read: ${read.reason}.`);
  const records = read.status === 'ok' ? read.value.records : [];
  const receipts = records.flatMap((record) => parseReceipt(record) ?? []);
  return receipts.filter((receipt) => event === undefined || receipt.event === event);
}

export function receiptUseCases(app: AppContext, build: Build) {
  return {
    listReceipts: (request: ReceiptRequest) => recentReceipts(app, request),

    // Is what the newest receipt says still true? Every reason why not.
    async checkReceipt(request: CheckRequest): Promise<ReceiptCheck> {
      const { dir, event, maxAgeMs, except = [] } = request;
      const unknown = except.find((code) => !STALE_CODES.some((known) => known === code));
      if (unknown !== undefined)
        throw invalidInput(`There is no reason "${unknown.slice(0, 40)}".`, `Known: ${STALE_CODES.join(', ')}`);
      const [receipt = null] = await recentReceipts(app, request);
      const failed = (code: StaleReason['code'], message: string) => ({
        ok: false,
        reasons: [{ code, message }],
        receipt,
      });
      if (!receipt) return failed('none', `there is no receipt${event === undefined ? '' : ` for ${event}`}`);
      const built = await build({ dir, policy: receipt.policy.asked }).catch((error: unknown) => {
        if (error instanceof BearingsError && error.code !== 'io_error') return null;
        throw error;
      });
      if (built === null) {
        const { name } = receipt.policy;
        return failed('policy_changed', `the policy was ${name} and can't be used now: bearings policy check`);
      }
      const state = await receiptState(app, built.bundle, built.project);
      const all = staleReasons(receipt, state, { now: app.now().getTime(), maxAgeMs });
      const reasons = all.filter(({ code }) => !except.includes(code));
      return { ok: reasons.length === 0, reasons, receipt };
    },
  };
}

async function workspaceOf(app: AppContext, root: string, id: string | undefined): Promise<Workspace> {
  const settings = await app.settings();
  try {
    return settings.workspace({ id, root });
  } catch (error) {
    if (id !== undefined || !(error instanceof BearingsError) || error.code !== 'not_found') throw error;
    throw notFound('A receipt needs a workspace, and there is none here.', 'Make one: bearings init');
  }
}

async function receiptState(app: AppContext, bundle: Bundle, project: Project): Promise<ReceiptState> {
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
