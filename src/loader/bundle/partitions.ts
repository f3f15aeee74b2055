import type { LimitsInForce } from '../policy/limits.ts';
import type { Shares } from '../policy/policy.ts';

export const SLICES = ['control_plane', 'task', 'tactical', 'adapter'] as const;
export type Slice = (typeof SLICES)[number];

/** What a slice may fill; infinite where a level lifts the limits. */
export interface Room {
  files: number;
  chars: number;
  tokens: number;
}

export interface SlicesOn {
  tactical: boolean;
  /** How many adapters are on. */
  adapters: number;
}

// Every adapter that is on gets a share, so that its best item is in; more than this many would crowd out the task.
const MAX_ADAPTER_SHARES = 3;

// Room is given in the order control plane, adapter, tactical, task: each its share of the budget, rounded down but at
// least 1, and one is always kept for the task where there are two or more. The task gets what is left, once the control
// plane has the files that its policy wants in any budget: those come out of the task's room, never out of what is reserved.
export function partition(limits: LimitsInForce, shares: Shares, on: SlicesOn): Record<Slice, Room> {
  const adapters = Math.min(on.adapters, MAX_ADAPTER_SHARES);
  const portion = (total: number | null, unit: 'files' | 'chars') =>
    allot(total ?? Number.POSITIVE_INFINITY, [
      { share: shares.control_plane[unit], of: shares.of[unit], times: 1 },
      { share: shares.adapter[unit], of: shares.of[unit], times: adapters },
      { share: shares.tactical[unit], of: shares.of[unit], times: on.tactical ? 1 : 0 },
    ]);
  const files = withLeast(portion(limits.max_files, 'files'), shares.control_plane.min_files ?? 0);
  const chars = portion(limits.max_total_chars, 'chars');
  const tokens = portion(limits.max_tokens, 'chars');
  const room = (at: number): Room => ({ files: files[at] ?? 0, chars: chars[at] ?? 0, tokens: tokens[at] ?? 0 });
  const rooms = { control_plane: room(0), adapter: room(1), tactical: room(2), task: room(3) };
  // A slice with files but no characters, or the reverse, can hold nothing: the task can.
  for (const slice of ['adapter', 'tactical'] as const) {
    const { files, chars, tokens } = rooms[slice];
    if (files > 0 && chars > 0 && tokens > 0) continue;
    rooms.task = {
      files: rooms.task.files + files,
      chars: rooms.task.chars + chars,
      tokens: rooms.task.tokens + tokens,
    };
    rooms[slice] = { files: 0, chars: 0, tokens: 0 };
  }
  return rooms;
}

function withLeast([control = 0, adapter = 0, tactical = 0, task = 0]: number[], least: number): number[] {
  const moved = Math.max(0, Math.min(least - control, task - 1));
  return [control + moved, adapter, tactical, task - moved];
}

interface Want {
  share: number;
  of: number;
  times: number;
}

function allot(total: number, wants: readonly Want[]): number[] {
  if (total === Number.POSITIVE_INFINITY) return [...wants.map(({ times }) => (times > 0 ? total : 0)), total];
  let left = total >= 2 ? total - 1 : total;
  const given = wants.map(({ share, of, times }) => {
    const wanted = times === 0 || share === 0 ? 0 : times * Math.max(1, Math.floor((total * share) / of));
    const part = Math.min(left, wanted);
    left -= part;
    return part;
  });
  return [...given, total - given.reduce((sum, part) => sum + part, 0)];
}
