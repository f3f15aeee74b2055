import { useEffect, useState } from 'preact/hooks';
import { type Got, get } from '../api.ts';
import { ShownText, Table, Warnings } from '../parts.tsx';
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
// Someone who holds an arrow down wants the last one.
const REST_MS = 120;

// What one step saw, from where, how large and why; the texts when they are wanted.
export function StepView({ run, path }: { run: string; path: string }) {
  const [step, setStep] = useState<StepPage | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      get('/api/step', { id: run, path }).then(setStep, (error: Error) => setProblem(error.message));
    }, REST_MS);
    return () => clearTimeout(timer);
  }, []);
  if (problem) return <p class="quiet">{problem}</p>;
  if (!step) return <p class="quiet">…</p>;
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
          <ShownText label={label} values={{ id: run, sha256 }} />
          <p class="quiet hash">
            <code>{sha256}</code>
          </p>
        </>
      ) : null}
    </div>
  );
}

function nothingOf({ parts }: StepPage): string {
  const empty = parts.filter(({ part, chars }) => chars === 0 && part !== 'output');
  return empty.map(({ part, why }) => `nothing ${part}${why === '' ? '' : ` (${why})`}`).join(' · ');
}
