import { useEffect, useState } from 'preact/hooks';
import { type Got, type PostPath, post, useGet } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Button, Empty, Problem, Switch } from '../parts.tsx';
import { counted, figure } from '../words.ts';
import { BundleForm } from './bundle-form.tsx';
import { type Bundle, BundleShown, type Which } from './bundle-shown.tsx';

type View = Which | 'drift';

const VIEWS = [
  ['built', 'Built here'],
  ['opened', 'Opened'],
  ['drift', 'What moved'],
] as const;

// Build one here or open one: what an agent sees, and what moved between the two.
export function Bundles() {
  const { found, problem: unread } = useGet('/api/bundles');
  const [page, setPage] = useState<Got<'/api/bundles'> | null>(null);
  const [view, setView] = useState<View>('built');
  const [listOpen, setListOpen] = useState(false);
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState('');
  // Another number for every new bundle: what was unfolded in the one before is folded again.
  const [count, setCount] = useState(0);
  useEffect(() => {
    setPage(found);
    if (found?.opened && !found.built) setView('opened');
  }, [found]);
  const take = async (path: PostPath, body: object, which: Which, then: View = which): Promise<void> => {
    setBusy(path);
    setProblem('');
    try {
      const bundle = (await post(path, body)) as Bundle;
      setPage((before) => before && { ...before, [which]: bundle });
      setView(then);
      setListOpen(false);
      setCount((before) => before + 1);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy('');
  };
  const views = page?.built && page.opened ? VIEWS : [];
  const at = views.findIndex(([name]) => name === view);
  useKeys({ v: views.length > 0 ? () => setView(views[(at + 1) % views.length]?.[0] ?? 'built') : undefined });
  if (!page) return <Problem text={unread} />;
  const shown = view === 'opened' ? page.opened : page.built;
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label="Build or open">
        <Button class="link back narrow-only" onClick={() => setListOpen(false)}>
          ← Back
        </Button>
        <BundleForm
          page={page}
          busy={busy}
          onBuild={(form) => void take('/api/build', form, 'built')}
          onOpen={(text) => void take('/api/open', { text }, 'opened')}
        />
        <p class="problem narrow-only">{problem}</p>
      </section>
      <section class="one" aria-label="Bundle">
        <div class="scroll">
          <div class="section-head bundle-head">
            <Button class="list-toggle narrow-only" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
              Build or open
            </Button>
            {views.length > 0 ? <Switch label="Which" all={views} now={view} onPick={setView} /> : null}
          </div>
          <p class="problem" role="alert">
            {problem}
          </p>
          {view === 'drift' && page.built && page.opened ? (
            <DriftView key={count} />
          ) : shown ? (
            <BundleShown
              key={`${view} ${count}`}
              which={view === 'opened' ? 'opened' : 'built'}
              bundle={shown}
              onRebuild={
                view === 'opened' && busy === '' ? () => void take('/api/rebuild', {}, 'built', 'drift') : undefined
              }
            />
          ) : (
            <NoBundle />
          )}
        </div>
      </section>
    </div>
  );
}

function NoBundle() {
  return (
    <Empty name="Bundles" title="Bundles">
      <p>
        A bundle is what an agent sees of a project for one task: in a fixed order, inside a budget, with the reason for
        every file. Say the task and build one here, or open one that was saved. In a terminal:
      </p>
      <pre>bearings load --task "review the visual rules" --out bundle.json</pre>
      <p class="quiet">With one built and one opened you see what moved between them.</p>
    </Empty>
  );
}

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
const MAX_CHANGES = 500;

// What moved from the opened bundle to the one built here.
function DriftView() {
  const { found: drift, problem } = useGet('/api/drift');
  if (!drift) return <Problem text={problem} />;
  const shown = drift.changes.slice(0, MAX_CHANGES);
  const parts = [...new Set(shown.map(({ part }) => part))];
  return (
    <article class="item drift wide">
      <h1>{drift.same ? 'Nothing moved' : `${counted(drift.changes.length, 'thing')} moved`}</h1>
      <p class="by">from the opened bundle to the one built here</p>
      {parts.map((part) => (
        <section key={part}>
          <h2>{Object.hasOwn(PARTS, part) ? PARTS[part] : part}</h2>
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
                      <td class="line path">{name}</td>
                      <td class="line">{detail}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
      {drift.changes.length > shown.length ? (
        <p class="quiet">and {figure(drift.changes.length - shown.length)} more: bearings drift</p>
      ) : null}
    </article>
  );
}
