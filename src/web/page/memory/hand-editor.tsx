import { useLayoutEffect, useRef } from 'preact/hooks';
import { useGet, useWork } from '../api.ts';
import { Button, Problem } from '../parts.tsx';
import type { Signing } from '../signing.tsx';

interface Props {
  file: string;
  id: string | undefined;
  signing: Signing;
  /** The brief is the person's alone: nobody's key signs it. */
  isSigned?: boolean;
  onDone: () => void;
}

// The person's own hand: saved as they wrote it, and accounted as theirs at once.
export function HandEditor({ file, id, signing, isSigned = true, onDone }: Props) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const { found: before, problem: unread } = useGet('/api/text', { file, id }, [file, id]);
  const { problem, run } = useWork();
  useLayoutEffect(() => ref.current?.focus(), [before]);
  const save = async (): Promise<void> => {
    const text = ref.current?.value ?? '';
    if (!before || text === before.text.replace(/\r\n?/g, '\n')) return onDone();
    // The file keeps its own kind of line ends.
    const written = before.text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
    const body = { file, id, text: written, before_sha256: before.sha256 };
    if (await signing.send('/api/save', body, isSigned ? undefined : { level: 'ask', credentials: [] })) onDone();
  };
  return (
    <div class="editor">
      <Problem text={problem || unread} />
      {before ? (
        <label>
          {file}
          <textarea
            ref={ref}
            rows={22}
            spellcheck={false}
            defaultValue={before.text}
            onKeyDown={(event) => {
              if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              run(save);
            }}
          />
        </label>
      ) : null}
      <div class="row-end">
        <Button onClick={onDone}>Leave it</Button>
        <Button class="main" letter="Ctrl s" disabled={!before} onClick={() => run(save)}>
          Save as mine
        </Button>
      </div>
    </div>
  );
}
