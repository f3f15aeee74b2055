import { FALLBACKS, type Fallback, type Limits, type LimitsInForce, limitsOf } from '../policy/limits.ts';
import type { Shares } from '../policy/policy.ts';
import {
  type Candidate,
  type Dropped,
  type FileEntry,
  type Filled,
  type FillOptions,
  fillSlice,
  readCandidate,
} from './fill.ts';
import { fillPassages, type MatchedCandidate } from './fill-passages.ts';
import { partition, type Room, SLICES, type Slice, type SlicesOn } from './partitions.ts';
import type { Unit } from './passage-choice.ts';

export interface Attempt {
  level: Fallback;
  limits: LimitsInForce;
  success: boolean;
  reason: string;
}

/** An adapter that could not be read: the bundle was made without it. */
export interface Degraded {
  adapter: string;
  reason: string;
}

export interface SlicesFilled {
  limits: LimitsInForce;
  /** What each slice could fill; the task's with the room that the control plane left. */
  rooms: Record<Slice, Room>;
  used: Record<Slice, Room>;
  files: FileEntry[];
  dropped: Dropped[];
  warnings: string[];
  /** Why each passage is in, by path. */
  passages: Map<string, Unit[]>;
}

export interface LevelsInput {
  task: string;
  candidates: Record<Slice, readonly Candidate[]>;
  /** Where the words of the task choose: in the place of the task's candidates. */
  matched: readonly MatchedCandidate[] | null;
  /** Would be chosen, were they plain files that can be read. */
  unindexed: readonly Candidate[];
  limits: Limits;
  shares: Shares;
  on: SlicesOn;
  /** The furthest level the caller allows. */
  allowed: Fallback;
  countTokens: ((text: string) => number) | null;
}

// Level by level until one control-plane and one task file are in. A level that brings neither closer is not used.
export function tryLevels(input: LevelsInput): {
  filled: SlicesFilled;
  fallback: { level: Fallback; attempts: Attempt[] };
} {
  let best = fillSlices(input, limitsOf('none', input.limits));
  let level: Fallback = 'none';
  const attempts = [attemptOf('none', best)];
  for (const next of FALLBACKS.slice(1, FALLBACKS.indexOf(input.allowed) + 1)) {
    if (reached(best) === 2) break;
    const filled = fillSlices(input, limitsOf(next, input.limits));
    attempts.push(attemptOf(next, filled));
    if (reached(filled) <= reached(best)) continue;
    best = filled;
    level = next;
  }
  return { filled: best, fallback: { level, attempts } };
}

function reached({ used }: SlicesFilled): number {
  return Number(used.control_plane.files > 0) + Number(used.task.files > 0);
}

function attemptOf(level: Fallback, { limits, used }: SlicesFilled): Attempt {
  const lacks = [
    ...(used.control_plane.files > 0 ? [] : ['no control-plane file is in']),
    ...(used.task.files > 0 ? [] : ['no task file is in']),
  ];
  const success = lacks.length === 0;
  return { level, limits, success, reason: success ? 'a control-plane and a task file are in' : lacks.join(', ') };
}

function fillSlices(
  { task, candidates, matched, unindexed, shares, on, countTokens }: LevelsInput,
  limits: LimitsInForce,
): SlicesFilled {
  const rooms = partition(limits, shares, on);
  const taken = new Set<string>();
  const result: SlicesFilled = {
    limits,
    rooms,
    used: { control_plane: NOTHING, task: NOTHING, tactical: NOTHING, adapter: NOTHING },
    files: [],
    dropped: [],
    warnings: [],
    passages: new Map(),
  };
  const control = fillControl(candidates.control_plane, rooms, { limits, taken, firstRank: 1, countTokens });
  for (const slice of SLICES) {
    // What the control plane had no room for is already listed as dropped; the task may not bring it back.
    const claimed = slice === 'task' ? new Set(result.dropped.map(({ path }) => path)) : new Set();
    const isFree = ({ path }: Candidate) => !claimed.has(path);
    const options = { room: rooms[slice], limits, taken, firstRank: result.files.length + 1, countTokens };
    const filled =
      slice === 'control_plane'
        ? control
        : slice === 'task' && matched
          ? withRefused(fillPassages(matched.filter(isFree), { ...options, task }), unindexed.filter(isFree), taken)
          : fillSlice(
              candidates[slice].filter(isFree).map((candidate) => within(candidate, slice, { rooms, on })),
              options,
            );
    result.used[slice] = filled.used;
    result.files.push(...filled.files);
    for (const dropped of filled.dropped) result.dropped.push(dropped);
    result.warnings.push(...filled.warnings);
    for (const [path, units] of filled.passages ?? []) result.passages.set(path, units);
    if (slice === 'control_plane')
      rooms.task =
        requiredOut(candidates.control_plane, filled).length > 0
          ? NOTHING
          : plus(rooms.task, minus(rooms.control_plane, filled.used));
  }
  return result;
}

// No adapter takes the room of another.
function within(
  candidate: Candidate,
  slice: Slice,
  { rooms, on }: { rooms: Record<Slice, Room>; on: SlicesOn },
): Candidate {
  if (slice !== 'adapter' || rooms.adapter.chars === Number.POSITIVE_INFINITY) return candidate;
  return { ...candidate, max_chars: Math.max(1, Math.floor(rooms.adapter.chars / Math.max(1, on.adapters))) };
}

// In the policy's order where all that is required fits; else the required files first, wherever there is room, and the
// others only in what the slice has left.
function fillControl(
  candidates: readonly Candidate[],
  rooms: Record<Slice, Room>,
  options: Omit<FillOptions, 'room'>,
): Filled {
  const before = new Set(options.taken);
  const plain = fillSlice(candidates, { ...options, room: rooms.control_plane });
  if (requiredOut(candidates, plain).length === 0) return plain;
  options.taken.clear();
  for (const name of before) options.taken.add(name);
  const first = fillSlice(
    candidates.filter(({ required }) => required),
    { ...options, room: SLICES.map((slice) => rooms[slice]).reduce(plus) },
  );
  const room = atLeast(rooms.control_plane, first.used);
  takeFromOthers(rooms, minus(room, rooms.control_plane));
  rooms.control_plane = room;
  const others = fillSlice(
    candidates.filter(({ required }) => !required),
    { ...options, room: minus(room, first.used), firstRank: options.firstRank + first.used.files },
  );
  return {
    files: [...first.files, ...others.files],
    dropped: [...first.dropped, ...others.dropped],
    warnings: [...first.warnings, ...others.warnings],
    used: plus(first.used, others.used),
  };
}

// From the task first, but for its last file; then from the tactical slice, the adapters, and that last file.
function takeFromOthers(rooms: Record<Slice, Room>, lacking: Room): void {
  const last = { ...NOTHING, files: Math.min(1, rooms.task.files) };
  rooms.task = minus(rooms.task, last);
  let left = lacking;
  for (const slice of ['task', 'tactical', 'adapter'] as const) {
    const part = lesser(rooms[slice], left);
    rooms[slice] = minus(rooms[slice], part);
    left = minus(left, part);
  }
  rooms.task = plus(rooms.task, minus(last, lesser(last, left)));
}

/** Required files that are there and had no room. */
export function requiredOut(candidates: readonly Candidate[], { dropped }: Pick<Filled, 'dropped'>): Dropped[] {
  const required = new Set(candidates.flatMap(({ path, required }) => (required ? [path] : [])));
  return dropped.filter(
    ({ path, source_class, reason }) =>
      source_class === 'control_plane' && reason.startsWith('budget_') && required.has(path),
  );
}

// Lists what may not come in or can't; what could be read after all has no words that speak for it.
function withRefused(filled: Filled, candidates: readonly Candidate[], taken: ReadonlySet<string>): Filled {
  for (const candidate of candidates) {
    const reading = readCandidate(candidate, { taken, maxChars: 1 });
    if (reading.status === 'ok') continue;
    const { path, source_class, selected_by } = candidate;
    if (reading.warning) filled.warnings.push(reading.warning);
    filled.dropped.push({ path, reason: reading.reason, selected_by, source_class });
  }
  return filled;
}

const NOTHING: Room = { files: 0, chars: 0, tokens: 0 };

const both = (combine: (a: number, b: number) => number) => (a: Room, b: Room) => ({
  files: combine(a.files, b.files),
  chars: combine(a.chars, b.chars),
  tokens: combine(a.tokens, b.tokens),
});
const atLeast = both(Math.max);
const lesser = both(Math.min);
const plus = both((a, b) => a + b);
// What has no limit has none left over either way.
const minus = both((from, part) => (from === Number.POSITIVE_INFINITY ? from : from - part));
