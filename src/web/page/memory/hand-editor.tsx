import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Queue } from '../../wire.ts';
import { get } from '../api.ts';
import type { usePassphrase } from '../inbox/passphrase.tsx';
import { postSigned } from '../passkey.ts';

interface Text {
  text: string;
  sha256: string | null;
}

// The person's own hand: saved as she wrote it, and accounted as hers at once.
export function HandEditor({
  file,
  id,
  secret,
  onDone,
}: {
  file: string;
  id: string | undefined;
  /** Null: this file is not accounted. */
  secret: ReturnType<typeof usePassphrase> | null;
  onDone: () => void;
}) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const [before, setBefore] = useState<Text | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get<Text>('/api/text', { file, id }).then(setBefore, (error: Error) => setProblem(error.message));
  }, [file, id]);
  useLayoutEffect(() => ref.current?.focus(), [before]);
  const save = async (): Promise<void> => {
    const text = ref.current?.value ?? '';
    if (!before || text === before.text.replace(/\r\n?/g, '\n')) return onDone();
    try {
      const { level, credentials } = await get<Queue>('/api/queue', { from: 0, count: 1 });
      const passphrase = secret && level === 'passphrase' ? await secret.ask() : undefined;
      if (passphrase === null) return;
      // The file keeps its own kind of line ends.
      const written = before.text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
      const body = { file, id, text: written, before_sha256: before.sha256, passphrase };
      await postSigned('/api/save', body, credentials);
      onDone();
    } catch (error) {
      secret?.forget();
      setProblem((error as Error).message);
    }
  };
  return (
    <div class="editor">
      {problem ? (
        <p class="problem" role="alert">
          {problem}
        </p>
      ) : null}
      {before ? (
        <label>
          {file}
          <textarea
            ref={ref}
            rows={22}
            spellcheck={false}
            onKeyDown={(event) => {
              if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                void save();
              }
            }}
          >
            {before.text}
          </textarea>
        </label>
      ) : null}
      <div class="row-end">
        <button type="button" onClick={onDone}>
          Leave it
        </button>
        <button type="button" class="main" disabled={!before} onClick={() => void save()}>
          Save as mine <kbd>Ctrl s</kbd>
        </button>
      </div>
    </div>
  );
}
