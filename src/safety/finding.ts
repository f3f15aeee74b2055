// `certain` has the shape or checksum of what it is; `possible` only might be it.
export type Certainty = 'certain' | 'possible';
// UTF-16 offsets of the secret value only, so that a redacted text still says what was there.
export type Finding = { kind: string; start: number; end: number; certainty: Certainty };

// Sorted by place; overlapping ranges become one that covers them all, keeps the kind of the first and is as certain as any.
export function mergeFindings(...lists: Finding[][]): Finding[] {
  const sorted = lists.flat().sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Finding[] = [];
  for (const finding of sorted) {
    const last = merged.at(-1);
    if (last && finding.start < last.end) {
      last.end = Math.max(last.end, finding.end);
      if (finding.certainty === 'certain') last.certainty = 'certain';
    } else merged.push({ ...finding });
  }
  return merged;
}

export function redact(text: string, findings: Finding[]): string {
  let redacted = '';
  let done = 0;
  for (const { kind, start, end } of mergeFindings(findings)) {
    redacted += `${text.slice(done, start)}[redacted:${kind}]`;
    done = end;
  }
  return redacted + text.slice(done);
}

// Where the first group that took part is; each pattern with `d` has one.
export function firstGroup({ indices }: RegExpMatchArray | RegExpExecArray): [start: number, end: number] {
  return indices?.slice(1).find((place) => place !== undefined) as [number, number];
}
