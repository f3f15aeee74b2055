import { useEffect, useRef, useState } from 'preact/hooks';
import { compareCodePoints } from '../../../code-points.ts';
import { type Got, useGet } from '../api.ts';
import { Table, TextBox, Warnings } from '../parts.tsx';
import { counted, dotted, durationOf, figure, labelOf, timeOf } from '../words.ts';

type StepRow = Got<'/api/run'>['rows'][number];

interface StepNode {
  path: string;
  name: string;
  type: string;
  /** Null: nothing is recorded of it yet. */
  row: StepRow | null;
  children: number;
  /** Of the steps below, how many are done. */
  done: number;
}

interface StepTreeProps {
  nodes: readonly StepNode[];
  running: boolean;
  /** The run waits for the person: what is around that step has not failed. */
  asks: boolean;
  current: string | null;
  onPick: (path: string) => void;
}

export function StepTree({ nodes, running, asks, current, onPick }: StepTreeProps) {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  const stateOf = ({ row, type, children, done }: StepNode): keyof typeof MARKS => {
    if (row) return !row.failed ? 'done' : asks ? 'asks' : 'failed';
    if (running) return done > 0 ? 'working' : 'waiting';
    return type === 'round' && done === children ? 'done' : 'waiting';
  };
  return (
    <ol class="steps" aria-label="Steps" ref={box}>
      {nodes.map((node) => {
        const { path, name, row, done } = node;
        const state = stateOf(node);
        const tokens = row
          ? `${figure(row.read)} → ${figure(row.written)}`
          : done > 0
            ? `${figure(done)} done below`
            : '';
        return (
          <li key={path}>
            <button
              type="button"
              id={`step-${path}`}
              class={`step ${state}`}
              aria-current={path === current ? 'step' : undefined}
              style={{ paddingLeft: `${10 + Math.min(path.split('.').length - 1, 8) * 16}px` }}
              onClick={() => onPick(path)}
            >
              <span class="mark" aria-hidden="true">
                {MARKS[state]}
              </span>
              <span class="unseen">{state} </span>
              <span class="step-name">{name || path}</span>
              <span class="step-path">{path}</span>
              <span class="figures">
                <span class="tokens">{tokens}</span>
                {row ? <span class="took">{durationOf(row.ms)}</span> : null}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const MARKS = { done: '✓', failed: '✗', working: '●', waiting: '·', asks: '?' };

// The tree as a list in reading order: a task, then what is below it. Steps come in the order in which they ended.
export function orderSteps(rows: readonly StepRow[], template: Got<'/api/run'>['template']): StepNode[] {
  const nodes = new Map<string, StepNode>();
  const add = (path: string, name: string, type: string, row: StepRow | null = null) =>
    nodes.set(path, { path, name, type, row, children: 0, done: 0 });
  for (const { path, name, type } of template) add(path, name, type);
  for (const row of rows) add(row.path, row.name, row.type, row);
  // A task is kept when it ends, so its steps may be here before it; a round of a loop has no record of its own.
  for (const path of [...nodes.keys()])
    for (let up = parentOf(path); up !== '' && !nodes.has(up); up = parentOf(up)) {
      const name = up.slice(up.lastIndexOf('.') + 1);
      const round = /^round:(\d+)$/.exec(name)?.[1];
      if (round === undefined) add(up, name, '');
      else add(up, `round ${Number(round) + 1}`, 'round');
    }
  for (const { path, row } of nodes.values()) {
    const parent = nodes.get(parentOf(path));
    if (!parent) continue;
    parent.children += 1;
    parent.done += Number(row !== null);
  }
  return [...nodes.values()].sort((a, b) => compareCodePoints(sortKey(a), sortKey(b)));
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

// In a round the script comes before who judges it.
const sortKey = ({ path }: StepNode): string =>
  path.replace(/\.evaluator\b/g, '.zevaluator').replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));

type StepPart = Got<'/api/step'>['parts'][number];

// What one step saw, from where, how large and why; the texts when they are wanted.
export function StepView({ run, path }: { run: string; path: string }) {
  const { found: step, problem } = useGet('/api/step', { id: run, path });
  if (!step) return <p class="quiet">{problem || '…'}</p>;
  return (
    <section class="step-view" aria-label="Step">
      <h2>
        {step.name} <span class="step-path">{step.path}</span>
      </h2>
      <p class="by">
        {dotted(
          step.type,
          step.status === 'COMPLETE' ? 'complete' : 'failed',
          step.model && `model ${step.model}`,
          durationOf(step.ms),
          step.at && `ended ${timeOf(step.at)}`,
        )}
      </p>
      {step.parts
        .filter(({ part, chars }) => chars > 0 || part === 'output')
        .map((part) => (
          <Part key={part.part} run={run} part={part} />
        ))}
      <Warnings lines={step.warnings} />
      <p class="quiet">{nothingOf(step.parts)}</p>
      {step.matches.length > 0 ? (
        <>
          <h3>{counted(step.matches.length, 'file')} found</h3>
          <Table rows={step.matches.map(({ path: file, why }) => [file, why])} />
        </>
      ) : null}
    </section>
  );
}

function Part({ run, part: { part, chars, tokens, sha256, from, why } }: { run: string; part: StepPart }) {
  const [open, setOpen] = useState(part === 'output' || part === 'question');
  return (
    <div class="part">
      <button type="button" class="part-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="part-name">{labelOf(part)}</span>
        <span class="figure">
          {chars === 0 ? 'nothing' : `${counted(chars, 'character')}, ${counted(tokens, 'token')}`}
        </span>
        <span class="quiet why-in">{dotted(from, why)}</span>
      </button>
      {open && chars > 0 ? <PartText label={labelOf(part)} id={run} sha256={sha256} /> : null}
    </div>
  );
}

function PartText({ label, id, sha256 }: { label: string; id: string; sha256: string }) {
  const { found, problem } = useGet('/api/run-text', { id, sha256 });
  return (
    <>
      {found ? <TextBox {...found} label={label} /> : <p class="quiet">{problem || '…'}</p>}
      <p class="quiet hash">
        <code>{sha256}</code>
      </p>
    </>
  );
}

function nothingOf(parts: readonly StepPart[]): string {
  const empty = parts.filter(({ part, chars }) => chars === 0 && part !== 'output');
  return empty.map(({ part, why }) => `nothing ${part}${why === '' ? '' : ` (${why})`}`).join(' · ');
}
