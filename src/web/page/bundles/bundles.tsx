import { useEffect, useState } from 'preact/hooks';
import type { BundlesPage, BundleView, Which } from '../../bundle-wire.ts';
import { get, post } from '../api.ts';
import { useKeys } from '../keys.ts';
import { BundleForm } from './bundle-form.tsx';
import { BundleShown } from './bundle-shown.tsx';
import { DriftView } from './drift-view.tsx';

type View = Which | 'drift';

const LABELS: Record<View, string> = { built: 'Built here', opened: 'Opened', drift: 'What moved' };

// Build one here or open one: what an agent sees, and what moved between the two.
export function Bundles() {
  const [page, setPage] = useState<BundlesPage | null>(null);
  const [view, setView] = useState<View>('built');
  const [listOpen, setListOpen] = useState(false);
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState('');
  // Another number for every new bundle: what was unfolded in the one before is folded again.
  const [count, setCount] = useState(0);
  useEffect(() => {
    get<BundlesPage>('/api/bundles').then(
      (found) => {
        setPage(found);
        if (!found.built && found.opened) setView('opened');
      },
      (error: Error) => setProblem(error.message),
    );
  }, []);
  const take = async (name: string, which: Which, ask: () => Promise<BundleView>, then: View = which) => {
    setBusy(name);
    setProblem('');
    try {
      const bundle = await ask();
      setPage((before) => before && { ...before, [which]: bundle });
      setView(then);
      setListOpen(false);
      setCount((before) => before + 1);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy('');
  };
  const views: View[] = page?.built && page.opened ? ['built', 'opened', 'drift'] : [];
  useKeys({
    v: views.length > 0 ? () => setView(views[(views.indexOf(view) + 1) % views.length] ?? 'built') : undefined,
  });
  if (!page) return problem ? <p class="problem">{problem}</p> : null;
  const shown = view === 'opened' ? page.opened : page.built;
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label="Build or open">
        <button type="button" class="link back narrow-only" onClick={() => setListOpen(false)}>
          ← Back
        </button>
        <BundleForm
          folder={page.folder}
          workspaces={page.workspaces}
          profiles={page.profiles}
          first={page.built?.form ?? null}
          busy={busy}
          onBuild={(form) => void take('build', 'built', () => post('/api/build', form))}
          onOpen={(text) => void take('open', 'opened', () => post('/api/open', { text }))}
        />
        <p class="problem narrow-only">{problem}</p>
      </section>
      <section class="one" aria-label="Bundle">
        <div class="scroll">
          <div class="section-head bundle-head">
            <button
              type="button"
              class="list-toggle narrow-only"
              aria-expanded={listOpen}
              onClick={() => setListOpen(!listOpen)}
            >
              Build or open
            </button>
            {views.length > 0 ? (
              <fieldset class="switch">
                <legend class="unseen">Which</legend>
                {views.map((name) => (
                  <button type="button" key={name} aria-pressed={name === view} onClick={() => setView(name)}>
                    {LABELS[name]}
                  </button>
                ))}
              </fieldset>
            ) : null}
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
                view === 'opened' && busy === ''
                  ? () => void take('build', 'built', () => post('/api/rebuild', {}), 'drift')
                  : undefined
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
    <section class="empty" aria-label="Bundles">
      <h1>Bundles</h1>
      <p>
        A bundle is what an agent sees of a project for one task: in a fixed order, inside a budget, with the reason for
        every file. Say the task and build one here, or open one that was saved. In a terminal:
      </p>
      <pre>bearings load --task "review the visual rules" --out bundle.json</pre>
      <p class="quiet">With one built and one opened you see what moved between them.</p>
    </section>
  );
}
