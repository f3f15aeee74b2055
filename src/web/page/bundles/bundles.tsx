import { useEffect, useState } from 'preact/hooks';
import { post, useGet, useWork } from '../api.ts';
import { Empty, Problem, SplitView } from '../parts.tsx';
import { BundleForm } from './bundle-form.tsx';
import { type Bundle, BundleShown } from './bundle-shown.tsx';

// Build one here: what an agent sees of this folder for a task.
export function Bundles() {
  const { found: page, problem: unread } = useGet('/api/bundles');
  const [bundle, setBundle] = useState<Bundle | null>(null);
  const { busy, problem, run } = useWork();
  useEffect(() => setBundle(page?.built ?? null), [page]);
  if (!page) return <Problem text={unread} />;
  return (
    <SplitView
      names={['Build', 'Bundle']}
      counter="Task and budget"
      list={(onGo) => (
        <BundleForm
          page={page}
          busy={busy}
          onBuild={(form) => {
            onGo();
            run(async () => setBundle((await post('/api/build', form)) as Bundle));
          }}
        />
      )}
    >
      <Problem text={problem} />
      {bundle ? <BundleShown key={bundle.bundle_sha256} bundle={bundle} /> : <NoBundle />}
    </SplitView>
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
