import { useEffect, useState } from 'preact/hooks';
import type { Shown } from '../wire.ts';
import { seen } from './words.ts';

export function TextBox({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="shown-text" tabIndex={0} aria-label={label}>
      <pre>{seen(text)}</pre>
    </section>
  );
}

// A text of others, as text. It is asked for when it is wanted.
export function ShownText({ ask, label }: { ask: () => Promise<Shown>; label: string }) {
  const [text, setText] = useState<Shown | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    ask().then(setText, (error: Error) => setProblem(error.message));
  }, []);
  if (problem) return <p class="quiet">{problem}</p>;
  if (!text) return <p class="quiet">…</p>;
  return (
    <>
      <TextBox text={text.text} label={label} />
      {text.chars > text.text.length ? (
        <p class="quiet">
          The first {text.text.length.toLocaleString('en')} of {text.chars.toLocaleString('en')} characters.
        </p>
      ) : null}
    </>
  );
}
