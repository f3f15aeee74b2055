import type { SliceView } from '../../bundle-wire.ts';

const SLICES: Record<string, string> = {
  control_plane: 'control plane',
  task: 'task',
  tactical: 'tactical',
  adapter: 'adapters',
};

export function sliceName(slice: string): string {
  return Object.hasOwn(SLICES, slice) ? (SLICES[slice] ?? slice) : slice;
}

// How full each slice is, in files and in characters.
export function BudgetBars({ slices }: { slices: readonly SliceView[] }) {
  return (
    <table class="budget">
      <caption class="unseen">The budget by slice</caption>
      <thead>
        <tr>
          <th scope="col">slice</th>
          <th scope="col">files</th>
          <th scope="col">characters</th>
          <th scope="col" class="figure">
            left out
          </th>
        </tr>
      </thead>
      <tbody>
        {slices.map((slice) => (
          <tr key={slice.slice}>
            <th scope="row">{sliceName(slice.slice)}</th>
            <td>
              <Bar used={slice.used_files} limit={slice.max_files} what="files" />
            </td>
            <td>
              <Bar used={slice.used_chars} limit={slice.max_chars} what="characters" />
            </td>
            <td class="figure">{slice.dropped > 0 ? slice.dropped.toLocaleString('en') : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ used, limit, what }: { used: number; limit: number | null; what: string }) {
  const share = limit === null || limit <= 0 ? (used > 0 ? 1 : 0) : Math.min(1, Math.max(0, used / limit));
  const of = limit === null ? 'no limit' : limit.toLocaleString('en');
  return (
    <div class="meter">
      <svg
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${used.toLocaleString('en')} of ${of} ${what}`}
      >
        <rect class="room" width="100" height="8" />
        <rect class={limit === null ? 'used unlimited' : 'used'} width={(share * 100).toFixed(2)} height="8" />
      </svg>
      <span class="figure" aria-hidden="true">
        {used.toLocaleString('en')} / {of}
      </span>
    </div>
  );
}
