import { useGet } from '../api.ts';
import { Empty, PlaceLink, Problem, SplitView, Table, Warnings } from '../parts.tsx';
import type { Signing } from '../signing.tsx';
import { counted, dotted } from '../words.ts';
import { MemoryFile } from './memory-file.tsx';

interface Shared {
  changes: number;
  signing: Signing;
}

// Tastes, then workspaces: what all share, then each by itself.
export function Memory({ path, ...shared }: Shared & { path: string[] }) {
  const { found: list } = useGet('/api/memory', {}, [shared.changes]);
  if (!list) return null;
  const { tastes, workspaces } = list;
  if (tastes.length + workspaces.length === 0) return <NoMemory />;
  const first = workspaces[0] ? ['w', workspaces[0].id] : ['tastes', tastes[0]?.name ?? ''];
  const at = path[0] ? path.slice(0, 3) : first;
  const [kind, name = '', part] = at;
  const id = kind === 'w' ? name : undefined;
  const file = part === 'notes' ? 'notes.md' : `tastes/${name}.md`;
  return (
    <SplitView
      names={['Files of memory', 'Text']}
      counter={`${counted(tastes.length, 'taste')}, ${counted(workspaces.length, 'workspace')}`}
      list={(onGo) => {
        const step = (label: string, ...to: string[]) => (
          <PlaceLink
            to={['memory', ...to]}
            class={to[2] ? 'inner' : ''}
            isHere={to.join('/') === at.join('/')}
            onGo={onGo}
          >
            {label}
          </PlaceLink>
        );
        return (
          <nav class="tree" aria-label="Memory">
            <h2>Tastes</h2>
            {tastes.map((taste) => step(taste.name === '_default' ? 'always' : taste.name, 'tastes', taste.name))}
            {tastes.length === 0 ? (
              <p class="quiet">
                None yet. What you always want goes into one: <code>bearings edit tastes</code>
              </p>
            ) : null}
            <h2>Workspaces</h2>
            {workspaces.map((each) => [step(each.id, 'w', each.id), step('notes', 'w', each.id, 'notes')])}
          </nav>
        );
      }}
    >
      {id !== undefined && part === undefined ? (
        <WorkspaceView key={id} id={id} changes={shared.changes} />
      ) : (
        <MemoryFile key={at.join('/')} file={file} id={id} {...shared} />
      )}
    </SplitView>
  );
}

function NoMemory() {
  return (
    <Empty name="Memory" title="No memory yet">
      <p>
        Memory is three kinds of plain files: tastes (what you always want), a brief (what this work is for) and notes
        (what was learnt). Make the first in a terminal:
      </p>
      <pre>{'bearings init billing-client\nbearings edit tastes'}</pre>
    </Empty>
  );
}

function WorkspaceView({ id, changes }: { id: string; changes: number }) {
  const { found: page, problem } = useGet('/api/workspace', { id }, [changes]);
  if (!page) return <Problem text={problem} />;
  const { notes, log, gaps } = page.lines;
  return (
    <article class="item memory">
      <h1>{page.id}</h1>
      <p class="by">
        {dotted(
          page.folder,
          `${counted(notes, 'line')} of notes`,
          `${counted(log, 'entry', 'entries')} in the log`,
          counted(gaps, 'gap'),
        )}
      </p>
      <Warnings lines={page.warnings} />
      <h2>Brief</h2>
      {page.brief.trim() === '' ? (
        <p class="quiet">No brief yet. It says what this work is for; only you write it.</p>
      ) : (
        <pre>{page.brief}</pre>
      )}
      <p class="quiet">
        Change it by hand: <code>{`bearings edit brief ${id}`}</code>
      </p>
      <h2>Tastes it declares</h2>
      <p class="quiet">
        {page.tastes.map(({ name, missing }) => `${name}${missing ? ' (missing)' : ''}`).join(', ') ||
          'None: only what you always want is read.'}
      </p>
      {page.conflicts.length > 0 ? (
        <>
          <h2>{counted(page.conflicts.length, 'conflict')}</h2>
          <Table rows={page.conflicts.map(({ point, files }) => [point, files.join(', ')])} />
          <p class="quiet">Shown, never resolved: edit one of them, or leave it to the conversation.</p>
        </>
      ) : null}
    </article>
  );
}
