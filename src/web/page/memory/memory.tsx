import type { ComponentChildren } from 'preact';
import { useGet } from '../api.ts';
import { Button, Empty, PlaceLink, Problem, SplitView, Table, Warnings } from '../parts.tsx';
import { go } from '../route.ts';
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
  if (!list && !path[0]) return null;
  const { tastes, workspaces } = list ?? { tastes: [], workspaces: [] };
  if (list && tastes.length + workspaces.length === 0) return <NoMemory />;
  const [workspace] = workspaces;
  const first = workspace ? ['w', workspace.id] : ['tastes', tastes[0]?.name ?? ''];
  const at = path[0] ? path.slice(0, 3) : first;
  const [kind, name, part] = at;
  return (
    <SplitView
      names={['Files of memory', 'Text']}
      counter={`${counted(tastes.length, 'taste')}, ${counted(workspaces.length, 'workspace')}`}
      list={(onGo) => {
        const step = (to: string[], label: string, more: ComponentChildren = null, inner = '') => (
          <PlaceLink to={['memory', ...to]} class={inner} isHere={to.join('/') === at.join('/')} onGo={onGo}>
            <span>{label}</span>
            {more}
          </PlaceLink>
        );
        return (
          <nav class="tree" aria-label="Memory">
            <h2>Tastes</h2>
            {tastes.map((taste) =>
              step(
                ['tastes', taste.name],
                taste.name === '_default' ? 'always' : taste.name,
                <span class="figure">{taste.lines}</span>,
              ),
            )}
            {list && tastes.length === 0 ? (
              <p class="quiet">
                None yet. What you always want goes into one: <code>bearings edit tastes</code>
              </p>
            ) : null}
            <h2>Workspaces</h2>
            {workspaces.map(({ id }) => [step(['w', id], id), step(['w', id, 'notes'], 'notes', null, 'inner')])}
          </nav>
        );
      }}
    >
      {kind === 'tastes' && name ? (
        <MemoryFile key={`t ${name}`} file={`tastes/${name}.md`} id={undefined} {...shared} />
      ) : null}
      {kind === 'w' && name && part === 'notes' ? (
        <MemoryFile key={`n ${name}`} file="notes.md" id={name} {...shared} />
      ) : null}
      {kind === 'w' && name && part === undefined ? (
        <WorkspaceView key={`w ${name}`} id={name} changes={shared.changes} />
      ) : null}
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
      <h2>Notes</h2>
      <p>
        {notes === 0 ? <span class="quiet">No notes yet. What you accept is added here. </span> : null}
        <Button onClick={() => go('memory', 'w', id, 'notes')}>
          {`Open ${notes === 0 ? 'notes' : counted(notes, 'line')}`}
        </Button>
      </p>
    </article>
  );
}
