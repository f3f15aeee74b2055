// Longer than the tick of the clock that dates a file. Where only seconds are kept, a tick is up to two of them.
const TICK_MS = { fine: 50, coarse: 2_000 };

// Whoever changed a file so shortly before it was looked at may change it again, and it would look the same.
export function mayChangeUnseen(changedMs: number, lookedAtMs: number): boolean {
  return changedMs > lookedAtMs - (changedMs % 1_000 === 0 ? TICK_MS.coarse : TICK_MS.fine);
}
