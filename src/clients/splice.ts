export interface Splice {
  at: number;
  remove: number;
  insert: string;
}

// From the end, so that earlier offsets stay true; two at one place keep their order.
export function apply(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .reverse()
    .sort((a, b) => b.at - a.at)
    .reduce((left, { at, remove, insert }) => left.slice(0, at) + insert + left.slice(at + remove), text);
}
