// Where each group begins when the items stand in the order of their groups.
export function startsOf(groupOf: Uint32Array, size: number, groups: number): Uint32Array {
  const starts = new Uint32Array(groups + 1);
  for (let item = 0; item < size; item += 1) {
    const group = (groupOf[item] as number) + 1;
    starts[group] = (starts[group] as number) + 1;
  }
  for (let group = 1; group <= groups; group += 1) {
    starts[group] = (starts[group] as number) + (starts[group - 1] as number);
  }
  return starts;
}

// The numbers of the items in the order of their groups, within a group ascending.
export function groupedBy(groupOf: Uint32Array, groups: number): { starts: Uint32Array; items: Uint32Array } {
  const starts = startsOf(groupOf, groupOf.length, groups);
  const next = starts.slice();
  const items = new Uint32Array(groupOf.length);
  for (let item = 0; item < groupOf.length; item += 1) {
    const group = groupOf[item] as number;
    const place = next[group] as number;
    items[place] = item;
    next[group] = place + 1;
  }
  return { starts, items };
}
