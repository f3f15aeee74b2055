import { useState } from 'preact/hooks';
import { type Got, useGet } from '../api.ts';
import { Table, TextBox, Warnings } from '../parts.tsx';
import { counted, dotted, durationOf, timeOf } from '../words.ts';

type StepPage = Got<'/api/step'>;

const LABELS: Record<string, string> = {
  question: 'Question',
  inherited: 'Inherited',
  accumulated: 'Accumulated',
  fresh: 'Fresh',
  results: 'Results',
  output: 'Output',
};

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

function Part({ run, part }: { run: string; part: StepPage['parts'][number] }) {
  const [open, setOpen] = useState(part.part === 'output' || part.part === 'question');
  const { chars, tokens, sha256, from, why } = part;
  const label = LABELS[part.part] ?? part.part;
  return (
    <div class="part">
      <button type="button" class="part-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="part-name">{label}</span>
        <span class="figure">
          {chars === 0 ? 'nothing' : `${counted(chars, 'character')}, ${counted(tokens, 'token')}`}
        </span>
        <span class="quiet why-in">{dotted(from, why)}</span>
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

// Asked for when it is wanted.
function PartText({ label, run, sha256 }: { label: string; run: string; sha256: string }) {
  const { found, problem } = useGet('/api/run-text', { id: run, sha256 });
  return found ? <TextBox {...found} label={label} /> : <p class="quiet">{problem || '…'}</p>;
}

function nothingOf({ parts }: StepPage): string {
  const empty = parts.filter(({ part, chars }) => chars === 0 && part !== 'output');
  return empty.map(({ part, why }) => `nothing ${part}${why === '' ? '' : ` (${why})`}`).join(' · ');
}
