import { useEffect, useState } from 'preact/hooks';
import type { MemoryList } from '../../wire.ts';
import { get } from '../api.ts';
import type { usePassphrase } from '../inbox/passphrase.tsx';
import { PlaceLink, SplitView } from '../split-view.tsx';
import { counted, seen } from '../words.ts';
import { MemoryFile } from './memory-file.tsx';
import { WorkspaceView } from './workspace-view.tsx';

export interface MemoryProps {
  path: string[];
  changes: number;
  secret: ReturnType<typeof usePassphrase>;
}

// Tastes, then workspaces: what all share, then each by itself.
export function Memory({ path, changes, secret }: MemoryProps) {
  const [list, setList] = useState<MemoryList | null>(null);
  useEffect(() => {
    void get<MemoryList>('/api/memory').then(setList, () => undefined);
  }, [changes]);
  if (!list && !path[0]) return null;
  if (list && list.tastes.length + list.workspaces.length === 0) return <NoMemory />;
  const { tastes, workspaces } = list ?? { tastes: [], workspaces: [] };
  const [kind, name, part] = path[0] ? path : firstOf({ tastes, workspaces });
  const at = [kind, name, part].filter((step) => step !== undefined);
  return (
    <SplitView
      listLabel="Files of memory"
      oneLabel="Text"
      counter={`${counted(tastes.length, 'taste')}, ${counted(workspaces.length, 'workspace')}`}
      list={(onGo) => (
        <nav class="tree" aria-label="Memory">
          <h2>Tastes</h2>
          {tastes.map((taste) => (
            <Step to={['memory', 'tastes', taste.name]} at={at} onGo={onGo}>
              <span>{taste.name === '_default' ? 'always' : seen(taste.name)}</span>
              <span class="figure">{taste.lines}</span>
            </Step>
          ))}
          {list?.tastes.length === 0 ? (
            <p class="quiet">
              None yet. What you always want goes into one: <code>bearings edit tastes</code>
            </p>
          ) : null}
          <h2>Workspaces</h2>
          {workspaces.map(({ id }) => (
            <>
              <Step to={['memory', 'w', id]} at={at} onGo={onGo}>
                <span>{seen(id)}</span>
              </Step>
              <Step to={['memory', 'w', id, 'notes']} at={at} onGo={onGo} inner>
                <span>notes</span>
              </Step>
            </>
          ))}
        </nav>
      )}
    >
      {kind === 'tastes' && name ? (
        <MemoryFile key={`t ${name}`} file={`tastes/${name}.md`} id={undefined} changes={changes} secret={secret} />
      ) : null}
      {kind === 'w' && name && part === 'notes' ? (
        <MemoryFile key={`n ${name}`} file="notes.md" id={name} changes={changes} secret={secret} />
      ) : null}
      {kind === 'w' && name && part === undefined ? (
        <WorkspaceView key={`w ${name}`} id={name} changes={changes} />
      ) : null}
    </SplitView>
  );
}

function firstOf({ tastes, workspaces }: MemoryList): string[] {
  const [workspace] = workspaces;
  return workspace ? ['w', workspace.id] : ['tastes', tastes[0]?.name ?? ''];
}

function Step({
  to,
  at,
  inner,
  onGo,
  children,
}: {
  to: string[];
  at: string[];
  inner?: boolean;
  onGo: () => void;
  children: preact.ComponentChildren;
}) {
  const isHere = to.slice(1).join('/') === at.join('/');
  return (
    <PlaceLink to={to} class={inner ? 'inner' : undefined} isHere={isHere} onGo={onGo}>
      {children}
    </PlaceLink>
  );
}

function NoMemory() {
  return (
    <section class="empty" aria-label="Memory">
      <h1>No memory yet</h1>
      <p>
        Memory is three kinds of plain files: tastes (what you always want), a brief (what this work is for) and notes
        (what was learnt). Make the first in a terminal:
      </p>
      <pre>{'bearings init manta_001\nbearings edit tastes'}</pre>
    </section>
  );
}
