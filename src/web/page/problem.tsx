import { seen } from './words.ts';

/** What went wrong, told to a screen reader at once; nothing where nothing did. */
export function Problem({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <p class="problem" role="alert">
      {seen(text)}
    </p>
  );
}
