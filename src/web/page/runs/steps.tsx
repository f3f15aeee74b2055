import { useEffect, useRef, useState } from 'preact/hooks';
import { compareCodePoints } from '../../../code-points.ts';
import { type Got, useGet } from '../api.ts';
import { Table, TextBox, Warnings } from '../parts.tsx';
import { counted, dotted, durationOf, figure, timeOf } from '../words.ts';

const LOOP = 'director_evaluator_loop';

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
  return (
    <ol class="steps" aria-label="Steps" ref={box}>
      {nodes.map((node) => {
        const state = stateOf(node, { running, asks });
        return (
          <li key={node.path}>
            <button
              type="button"
              id={`step-${node.path}`}
              class={`step ${state}`}
              aria-current={node.path === current ? 'step' : undefined}
              style={{ paddingLeft: `${10 + Math.min(node.depth, 8) * 16}px` }}
              onClick={() => onPick(node.path)}
            >
              <span class="mark" aria-hidden="true">
                {MARKS[state]}
              </span>
              <span class="unseen">{state} </span>
              <span class="step-name">
                {node.name || node.path}
                {node.type === LOOP && node.children > 0 ? ` · ${counted(node.children, 'round')}` : ''}
              </span>
              <span class="step-path">{node.path}</span>
              <Figures node={node} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}

type State = 'done' | 'failed' | 'working' | 'waiting' | 'asks';
const MARKS: Record<State, string> = { done: '✓', failed: '✗', working: '●', waiting: '·', asks: '?' };

function stateOf(
  { row, type, children, doneBelow, failedBelow }: StepNode,
  { running, asks }: Pick<StepTreeProps, 'running' | 'asks'>,
): State {
  if (row) return !row.failed ? 'done' : asks ? 'asks' : 'failed';
  if (type === 'round' && failedBelow > 0) return 'failed';
  if (type === 'round' && !running && doneBelow === children) return 'done';
  return running && doneBelow > 0 ? 'working' : 'waiting';
}

function Figures({ node: { row, children, doneBelow } }: { node: StepNode }) {
  return (
    <span class="figures">
      {row ? (
        <>
          <span class="tokens">{`${figure(row.read)} → ${figure(row.written)}`}</span>
          <span class="took">{durationOf(row.ms)}</span>
        </>
      ) : children > 0 ? (
        <span class="tokens">{figure(doneBelow)} done below</span>
      ) : null}
    </span>
  );
}

type StepRow = Got<'/api/run'>['rows'][number];

interface StepNode {
  path: string;
  name: string;
  type: string;
  depth: number;
  /** Null: nothing is recorded of it yet. */
  row: StepRow | null;
  children: number;
  /** Of the steps below, how many are kept, and how many of these failed. */
  doneBelow: number;
  failedBelow: number;
}

const NOTHING_BELOW = { children: 0, doneBelow: 0, failedBelow: 0 };

// The tree as a list in reading order: a task, then what is below it. Steps come in the order in which they ended.
export function orderSteps(rows: readonly StepRow[], template: Got<'/api/run'>['template']): StepNode[] {
  const nodes = new Map<string, StepNode>();
  const add = (path: string, about: { name: string; type: string; row: StepRow | null }): StepNode => {
    const node: StepNode = { path, ...about, depth: path.split('.').length - 1, ...NOTHING_BELOW };
    nodes.set(path, node);
    return node;
  };
  for (const { path, name, type } of template) add(path, { name, type, row: null });
  for (const row of rows) add(row.path, { name: row.name, type: row.type, row });
  // A task is kept when it ends, so its steps may be here before it.
  for (const path of [...nodes.keys()])
    for (let up = parentOf(path); up !== null && !nodes.has(up); up = parentOf(up))
      add(up, { ...between(up.slice(up.lastIndexOf('.') + 1)), row: null });
  for (const node of nodes.values()) {
    const parent = nodes.get(parentOf(node.path) ?? '');
    if (!parent) continue;
    parent.children += 1;
    if (node.row) parent.doneBelow += 1;
    if (node.row?.failed) parent.failedBelow += 1;
  }
  const keys = new Map([...nodes.keys()].map((path) => [path, sortKey(path)]));
  return [...nodes.values()].sort((a, b) => compareCodePoints(keys.get(a.path) ?? '', keys.get(b.path) ?? ''));
}

function parentOf(path: string): string | null {
  const cut = path.lastIndexOf('.');
  return cut === -1 ? null : path.slice(0, cut);
}

// A round of a loop has no record of its own: it is what its parts are.
function between(name: string): { name: string; type: string } {
  const round = /^round:(\d+)$/.exec(name)?.[1];
  return round === undefined ? { name, type: '' } : { name: `round ${Number(round) + 1}`, type: 'round' };
}

function sortKey(path: string): string {
  // In a round the script comes before who judges it.
  return path.replace(/\.evaluator\b/g, '.zevaluator').replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));
}

type StepPage = Got<'/api/step'>;

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
      <p class="quiet">{nothingOf(step)}</p>
      {step.matches.length > 0 ? (
        <>
          <h3>{counted(step.matches.length, 'file')} found</h3>
          <Table
            rows={step.matches.map(({ path: file, why }) => [
              [file, 'path'],
              [why, 'quiet'],
            ])}
          />
        </>
      ) : null}
    </section>
  );
}

function Part({ run, part: { part, chars, tokens, sha256 } }: { run: string; part: StepPage['parts'][number] }) {
  const [open, setOpen] = useState(part === 'output' || part === 'question');
  const label = `${part[0]?.toUpperCase()}${part.slice(1)}`;
  return (
    <div class="part">
      <button type="button" class="part-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="part-name">{label}</span>
        <span class="figure">
          {chars === 0 ? 'nothing' : `${counted(chars, 'character')}, ${counted(tokens, 'token')}`}
        </span>
      </button>
      {open && chars > 0 ? (
        <>
          <PartText label={label} run={run} sha256={sha256} />
          <p class="quiet hash">
            <code>{sha256}</code>
          </p>
        </>
      ) : null}
    </div>
  );
}

function PartText({ label, run, sha256 }: { label: string; run: string; sha256: string }) {
  const { found, problem } = useGet('/api/run-text', { id: run, sha256 });
  return found ? <TextBox {...found} label={label} /> : <p class="quiet">{problem || '…'}</p>;
}

function nothingOf({ parts }: StepPage): string {
  const empty = parts.filter(({ part, chars }) => chars === 0 && part !== 'output');
  return empty.map(({ part }) => `nothing ${part}`).join(' · ');
}
