import { FALLBACKS, type Fallback, type Limits, type LimitsInForce, limitsOf } from '../policy/limits.ts';
import type { Shares } from '../policy/policy.ts';
import { type Candidate, type Dropped, type FileEntry, fillSlice } from './fill.ts';
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
  candidates: Record<Slice, readonly Candidate[]>;
  /** Where the words of the task choose: in the place of the task's candidates. */
  matched: readonly MatchedCandidate[] | null;
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
  { candidates, matched, shares, on, countTokens }: LevelsInput,
  limits: LimitsInForce,
): SlicesFilled {
  const rooms = partition(limits, shares, on);
  const taken = new Set<string>();
  const none: Room = { files: 0, chars: 0, tokens: 0 };
  const result: SlicesFilled = {
    limits,
    rooms,
    used: { control_plane: none, task: none, tactical: none, adapter: none },
    files: [],
    dropped: [],
    warnings: [],
    passages: new Map(),
  };
  for (const slice of SLICES) {
    // What the control plane had no room for is already listed as dropped; the task may not bring it back.
    const claimed = slice === 'task' ? new Set(result.dropped.map(({ path }) => path)) : new Set();
    const isFree = ({ path }: Candidate) => !claimed.has(path);
    const options = { room: rooms[slice], limits, taken, firstRank: result.files.length + 1, countTokens };
    const filled =
      slice === 'task' && matched
        ? fillPassages(matched.filter(isFree), options)
        : fillSlice(candidates[slice].filter(isFree), options);
    result.used[slice] = filled.used;
    result.files.push(...filled.files);
    for (const dropped of filled.dropped) result.dropped.push(dropped);
    result.warnings.push(...filled.warnings);
    for (const [path, units] of filled.passages ?? []) result.passages.set(path, units);
    if (slice === 'control_plane') rooms.task = plus(rooms.task, minus(rooms.control_plane, filled.used));
  }
  return result;
}

function plus(a: Room, b: Room): Room {
  return { files: a.files + b.files, chars: a.chars + b.chars, tokens: a.tokens + b.tokens };
}

function minus(a: Room, b: Room): Room {
  return { files: a.files - b.files, chars: a.chars - b.chars, tokens: a.tokens - b.tokens };
}
