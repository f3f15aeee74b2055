import { sortedByCodePoint } from '../../code-points.ts';
import { canonicalJson, isRecord } from '../../json.ts';
import { eachLimit, type LimitsInForce } from '../policy/limits.ts';
import type { Bundle } from './bundle.ts';
import { parseTime } from './time.ts';

export const RECEIPT_EVENTS = ['new_session', 'window_rollover', 'pre_mutation', 'pre_closeout'] as const;
export type ReceiptEvent = (typeof RECEIPT_EVENTS)[number];

/** What a receipt says about the state of the project at its time. */
export interface ReceiptState {
  head: string | null;
  dirty: boolean | null;
  dirty_sha256: string | null;
  /** `asked`: the policy the caller named; null: the one in force. */
  policy: { asked: string | null; name: string; sha256: string };
  /** Every control-plane file by its hash; null where it can't be read. */
  control_plane: Record<string, string | null>;
}

export interface Receipt extends ReceiptState {
  version: 1;
  time: string;
  event: ReceiptEvent;
  bundle_sha256: string;
  budget: LimitsInForce;
}

export const STALE_CODES = [
  ...(['none', 'too_old', 'in_future', 'other_head', 'dirty_changed', 'hash_moved', 'policy_changed'] as const),
] as const;

export interface StaleReason {
  code: (typeof STALE_CODES)[number];
  message: string;
}

// Clocks of two machines differ a little.
const CLOCK_SLACK_MS = 5 * 60_000;

export function receiptOf(
  bundle: Bundle,
  state: ReceiptState,
  { time, event }: { time: string; event: ReceiptEvent },
): Receipt {
  const budget = eachLimit((name) => bundle.budget[name]);
  return { version: 1, time, event, bundle_sha256: bundle.bundle_sha256, budget, ...state };
}

// A line that somebody may have written by hand: all of it fits, or it is no receipt.
export function parseReceipt(record: unknown): Receipt | null {
  if (!isRecord(record) || record.version !== 1 || !isRecord(record.policy) || !isRecord(record.control_plane))
    return null;
  const { time, event, bundle_sha256, head, dirty_sha256, policy, control_plane } = record;
  const isText = (value: unknown) => typeof value === 'string';
  const fits =
    [time, bundle_sha256, policy.name, policy.sha256].every(isText) &&
    [head, dirty_sha256, policy.asked, ...Object.values(control_plane)].every(
      (value) => value === null || isText(value),
    ) &&
    parseTime(String(time)) !== null &&
    RECEIPT_EVENTS.some((known) => known === event);
  return fits ? (record as unknown as Receipt) : null;
}

// Every reason why a receipt no longer says what is true; none: it still does.
export function staleReasons(
  receipt: Receipt,
  state: ReceiptState,
  { now, maxAgeMs }: { now: number; maxAgeMs: number },
): StaleReason[] {
  const reasons: StaleReason[] = [];
  const say = (code: StaleReason['code'], message: string) => reasons.push({ code, message });
  const age = now - (parseTime(receipt.time) ?? 0);
  if (age > maxAgeMs) say('too_old', `it is ${inWords(age)} old, and ${inWords(maxAgeMs)} is the limit`);
  if (age < -CLOCK_SLACK_MS) say('in_future', 'its time lies in the future');
  if (receipt.head !== state.head)
    say('other_head', `it was made on ${short(receipt.head)}, and this is ${short(state.head)}`);
  if (receipt.dirty_sha256 !== state.dirty_sha256) say('dirty_changed', 'the uncommitted changes are different');
  if (receipt.policy.name !== state.policy.name || receipt.policy.sha256 !== state.policy.sha256)
    say('policy_changed', `the policy was ${receipt.policy.name} and is a different one now`);
  for (const path of movedPaths(receipt.control_plane, state.control_plane)) say('hash_moved', `${path} changed`);
  return reasons;
}

function movedPaths(before: ReceiptState['control_plane'], after: ReceiptState['control_plane']): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  const at = (files: ReceiptState['control_plane'], path: string) =>
    Object.hasOwn(files, path) ? files[path] : undefined;
  return sortedByCodePoint(all).filter((path) => at(before, path) !== at(after, path));
}

export function receiptLine(receipt: Receipt): string {
  return JSON.stringify(JSON.parse(canonicalJson(receipt)));
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

// `45m`, `2h`, `30s`, `1d`; null for anything else.
export function parseAge(text: string): number | null {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  return number === undefined ? null : Number(number) * UNITS[unit as keyof typeof UNITS];
}

function inWords(ms: number): string {
  if (ms >= 2 * UNITS.d) return `${Math.floor(ms / UNITS.d)} days`;
  if (ms >= 2 * UNITS.h) return `${Math.floor(ms / UNITS.h)} hours`;
  return ms >= UNITS.m ? `${Math.floor(ms / UNITS.m)} min` : `${Math.floor(ms / UNITS.s)} s`;
}

function short(head: string | null): string {
  return head === null ? 'no commit' : head.slice(0, 12).replace(/[^0-9a-f]/g, '?');
}
