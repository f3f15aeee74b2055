import { useEffect, useState } from 'preact/hooks';
import type { Drift } from '../../bundle-wire.ts';
import { get } from '../api.ts';
import { counted, seen } from '../words.ts';

const PARTS: Record<string, string> = {
  arguments: 'What was asked',
  policy: 'Policy',
  budget: 'Budget',
  fallback: 'Fallback',
  history: 'History',
  control_plane: 'Control plane',
  files: 'Files in',
  dropped: 'Left out',
  adapters: 'Outside sources',
  warnings: 'Warnings',
  bundle: 'The bundle itself',
};
const MARKS = { added: '+', removed: '−', changed: '~' } as const;
const MOST_CHANGES = 500;

// What moved from the opened bundle to the one built here.
export function DriftView() {
  const [drift, setDrift] = useState<Drift | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get<Drift>('/api/drift').then(setDrift, (error: Error) => setProblem(error.message));
  }, []);
  if (problem) return <p class="problem">{problem}</p>;
  if (!drift) return null;
  const shown = drift.changes.slice(0, MOST_CHANGES);
  const parts = [...new Set(shown.map(({ part }) => part))];
  return (
    <article class="item drift wide">
      <h1>{drift.same ? 'Nothing moved' : `${counted(drift.changes.length, 'thing')} moved`}</h1>
      <p class="by">from the opened bundle to the one built here</p>
      {parts.map((part) => (
        <section key={part}>
          <h2>{Object.hasOwn(PARTS, part) ? PARTS[part] : seen(part)}</h2>
          <div class="diff">
            <table>
              <tbody>
                {shown
                  .filter((change) => change.part === part)
                  .map(({ change, name, detail }) => (
                    <tr key={`${change} ${name}`} class={change}>
                      <td class="mark" title={change}>
                        <span aria-hidden="true">{MARKS[change]}</span>
                        <span class="unseen">{change}</span>
                      </td>
                      <td class="line path">{seen(name)}</td>
                      <td class="line">{seen(detail)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
      {drift.changes.length > shown.length ? (
        <p class="quiet">and {(drift.changes.length - shown.length).toLocaleString('en')} more: bearings drift</p>
      ) : null}
    </article>
  );
}
