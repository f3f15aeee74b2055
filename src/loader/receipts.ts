import { BearingsError, invalidInput } from '../errors.ts';
import { readLastRecords } from '../files/last-records.ts';
import { join } from '../files/paths.ts';
import type { AppContext } from '../settings/app-context.ts';
import { parseReceipt, type Receipt, STALE_CODES, type StaleReason, staleReasons } from './bundle/receipt.ts';
import { folderOf } from './choose-policy.ts';
import { bundleLoader } from './load.ts';
import { assertEvent, RECEIPTS_FILE, receiptFile, receiptState } from './write-receipt.ts';

export interface ReceiptCheck {
  ok: boolean;
  reasons: StaleReason[];
  receipt: Receipt | null;
}

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

const LOOKED_BACK = 1_000;

export function receiptUseCases(app: AppContext) {
  const recent = async ({ dir, workspace, event }: ReceiptRequest): Promise<Receipt[]> => {
    if (event !== undefined) assertEvent(event, '--event');
    const place = await receiptFile(app, folderOf(app, dir), workspace);
    const read = readLastRecords(join(place.folder, RECEIPTS_FILE), place.scope, LOOKED_BACK);
    if (read.status === 'unreadable')
      throw new BearingsError('io_error', `The receipts can't be read: ${read.reason}.`);
    const records = read.status === 'ok' ? read.value.records : [];
    return records
      .flatMap((record) => parseReceipt(record) ?? [])
      .filter((receipt) => event === undefined || receipt.event === event);
  };

  return {
    // Newest first.
    listReceipts: recent,

    // Is what the newest receipt says still true? Every reason why not.
    async checkReceipt(request: CheckRequest): Promise<ReceiptCheck> {
      const except = request.except ?? [];
      const unknown = except.find((code) => !STALE_CODES.some((known) => known === code));
      if (unknown !== undefined)
        throw invalidInput(`There is no reason "${unknown.slice(0, 40)}".`, `Known: ${STALE_CODES.join(', ')}`);
      const [receipt] = await recent(request);
      if (!receipt) {
        const message =
          request.event === undefined ? 'there is no receipt' : `there is no receipt for ${request.event}`;
        return { ok: false, reasons: [{ code: 'none', message }], receipt: null };
      }
      const asked = { dir: request.dir, policy: receipt.policy.asked };
      const loaded = await bundleLoader(app)(asked).catch((error: unknown) => {
        if (error instanceof BearingsError && error.code !== 'io_error') return null;
        throw error;
      });
      if (loaded === null) {
        const message = `the policy was ${receipt.policy.name} and can't be used now: bearings policy check`;
        return { ok: false, reasons: [{ code: 'policy_changed', message }], receipt };
      }
      const { bundle, project } = loaded;
      const state = await receiptState(app, bundle, project);
      const all = staleReasons(receipt, state, { now: app.now().getTime(), maxAgeMs: request.maxAgeMs });
      const reasons = all.filter(({ code }) => !except.includes(code));
      return { ok: reasons.length === 0, reasons, receipt };
    },
  };
}
