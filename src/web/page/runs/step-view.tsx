import { useEffect, useState } from 'preact/hooks';
import type { StepPage } from '../../run-wire.ts';
import type { Shown } from '../../wire.ts';
import { get } from '../api.ts';
import { ShownText } from '../shown-text.tsx';
import { counted, durationOf, seen, timeOf } from '../words.ts';

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
      get<StepPage>('/api/step', { id: run, path }).then(setStep, (error: Error) => setProblem(error.message));
    }, REST_MS);
    return () => clearTimeout(timer);
  }, []);
  if (problem) return <p class="quiet">{problem}</p>;
  if (!step) return <p class="quiet">…</p>;
  return (
    <section class="step-view" aria-label="Step">
      <h2>
        {seen(step.name)} <span class="step-path">{step.path}</span>
      </h2>
      <p class="by">
        {step.type} · {step.status === 'COMPLETE' ? 'complete' : 'failed'}
        {step.model === null ? '' : ` · model ${seen(step.model)}`}
        {step.ms === null ? '' : ` · ${durationOf(step.ms)}`}
        {step.at === null ? '' : ` · ended ${timeOf(step.at)}`}
      </p>
      {step.parts
        .filter(({ part, chars }) => chars > 0 || part === 'output')
        .map((part) => (
          <Part key={part.part} run={run} part={part} />
        ))}
      {step.warnings.length > 0 ? (
        <ul class="warnings">
          {step.warnings.map((warning) => (
            <li key={warning}>{seen(warning)}</li>
          ))}
        </ul>
      ) : null}
      <p class="quiet">{nothingOf(step)}</p>
      {step.matches.length > 0 ? (
        <>
          <h3>{counted(step.matches.length, 'file')} found</h3>
          <table class="plain-table">
            <tbody>
              {step.matches.map(({ path: file, why }) => (
                <tr key={file}>
                  <td class="path">{seen(file)}</td>
                  <td class="quiet">{seen(why)}</td>
                </tr>
              ))}
            </tbody>
          </table>
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
        <span class="quiet why-in">{seen([from, why].filter((said) => said !== '').join(' · '))}</span>
      </button>
      {open && chars > 0 ? (
        <>
          <ShownText label={label} ask={() => get<Shown>('/api/run-text', { id: run, sha256 })} />
          <p class="quiet hash">
            <code>{seen(sha256)}</code>
          </p>
        </>
      ) : null}
    </div>
  );
}

function nothingOf({ parts }: StepPage): string {
  const empty = parts.filter(({ part, chars }) => chars === 0 && part !== 'output');
  return empty.map(({ part, why }) => `nothing ${part}${why === '' ? '' : ` (${seen(why)})`}`).join(' · ');
}
