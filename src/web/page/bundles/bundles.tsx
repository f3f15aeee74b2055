import { useEffect, useState } from 'preact/hooks';
import { post, useGet, useWork } from '../api.ts';
import { Button, Empty, Problem } from '../parts.tsx';
import { BundleForm } from './bundle-form.tsx';
import { type Bundle, BundleShown } from './bundle-shown.tsx';

// Build one here: what an agent sees of this folder for a task.
export function Bundles() {
  const { found: page, problem: unread } = useGet('/api/bundles');
  const [bundle, setBundle] = useState<Bundle | null>(null);
  const [listOpen, setListOpen] = useState(false);
  const { busy, problem, run } = useWork();
  useEffect(() => setBundle(page?.built ?? null), [page]);
  if (!page) return <Problem text={unread} />;
  const build = (form: object): void =>
    run(async () => {
      setBundle((await post('/api/build', form)) as Bundle);
      setListOpen(false);
    });
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label="Build">
        <Button class="link back narrow-only" onClick={() => setListOpen(false)}>
          ← Back
        </Button>
        <BundleForm page={page} busy={busy} onBuild={build} />
        <p class="problem narrow-only">{problem}</p>
      </section>
      <section class="one" aria-label="Bundle">
        <div class="scroll">
          <div class="section-head bundle-head">
            <Button class="list-toggle narrow-only" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
              Task and budget
            </Button>
          </div>
          <p class="problem" role="alert">
            {problem}
          </p>
          {bundle ? <BundleShown key={bundle.bundle_sha256} bundle={bundle} /> : <NoBundle />}
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
        every file. Say the task and build one here. In a terminal:
      </p>
      <pre>bearings load --task "review the visual rules" --out bundle.json</pre>
      <p class="quiet">
        Is a saved one still true, or what moved between two? <code>bearings drift</code>
      </p>
    </Empty>
  );
}
