import { useEffect, useState } from 'preact/hooks';
import type { WorkspacePage } from '../../wire.ts';
import { get } from '../api.ts';
import { Markdown } from '../markdown.tsx';
import { go } from '../route.ts';
import { counted, seen } from '../words.ts';
import { HandEditor } from './hand-editor.tsx';

export function WorkspaceView({ id, changes }: { id: string; changes: number }) {
  const [page, setPage] = useState<WorkspacePage | null>(null);
  const [problem, setProblem] = useState('');
  const [editing, setEditing] = useState(false);
  const load = () =>
    get<WorkspacePage>('/api/workspace', { id }).then(setPage, (error: Error) => setProblem(error.message));
  useEffect(() => void load(), [changes]);
  const edited = (): void => {
    setEditing(false);
    void load();
  };
  if (problem) return <p class="problem">{problem}</p>;
  if (!page) return null;
  return (
    <article class="item memory">
      <h1>{seen(page.id)}</h1>
      <p class="by">
        {seen(page.folder)} · {counted(page.lines.notes, 'line')} of notes ·{' '}
        {counted(page.lines.log, 'entry', 'entries')} in the log · {counted(page.lines.gaps, 'gap')}
      </p>
      {page.warnings.length > 0 ? (
        <ul class="warnings">
          {page.warnings.map((warning) => (
            <li>{seen(warning)}</li>
          ))}
        </ul>
      ) : null}
      <div class="section-head">
        <h2>Brief</h2>
        <button type="button" onClick={() => setEditing(true)}>
          Edit
        </button>
      </div>
      {editing ? (
        <HandEditor file="brief.md" id={id} secret={null} onDone={edited} />
      ) : page.brief.trim() === '' ? (
        <p class="quiet">No brief yet. It says what this work is for; only you write it.</p>
      ) : (
        <div class="pair">
          <Markdown text={page.brief} />
          <pre class="source">{seen(page.brief)}</pre>
        </div>
      )}
      <h2>Tastes it declares</h2>
      {page.tastes.length === 0 ? (
        <p class="quiet">None: only what you always want is read.</p>
      ) : (
        <p class="chips">
          {page.tastes.map(({ name, missing }) => (
            <button type="button" disabled={missing} onClick={() => go('memory', 'tastes', name)}>
              {seen(name)}
              {missing ? ' (missing)' : ''}
            </button>
          ))}
        </p>
      )}
      {page.conflicts.length > 0 ? <h2>{counted(page.conflicts.length, 'conflict')}</h2> : null}
      {page.conflicts.map(({ point, sides }) => (
        <section class="conflict" aria-label={`Conflict: ${seen(point)}`}>
          <div class="sides">
            {sides.map(({ file, line, before, after }) => (
              <div>
                <h3>
                  {seen(file)} <span class="quiet">line {line}</span>
                </h3>
                <pre>
                  {before.map((text) => `${seen(text)}\n`).join('')}
                  <mark>{seen(point)}</mark>
                  {after.map((text) => `\n${seen(text)}`).join('')}
                </pre>
              </div>
            ))}
          </div>
          <p class="quiet">Shown, never resolved: edit one of them, or leave it to the conversation.</p>
        </section>
      ))}
      <h2>Notes</h2>
      <p>
        {page.lines.notes === 0 ? <span class="quiet">No notes yet. What you accept is added here. </span> : null}
        <button type="button" onClick={() => go('memory', 'w', id, 'notes')}>
          Open {page.lines.notes === 0 ? 'notes' : counted(page.lines.notes, 'line')}
        </button>
      </p>
    </article>
  );
}
