import { useLayoutEffect, useRef } from 'preact/hooks';

// What the person types into a proposal: other words for it, or why not.
export function Editor({
  text,
  onDone,
  onCancel,
}: {
  text: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}) {
  const ref = useRef<HTMLTextAreaElement>(null);
  // At once: the next key is the first of the person's words, not a command.
  useLayoutEffect(() => ref.current?.focus(), []);
  const done = () => onDone(ref.current?.value.replace(/\r\n/g, '\n') ?? text);
  return (
    <div class="editor">
      <label>
        Your words in its place
        <textarea
          ref={ref}
          rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) done();
            if (event.key === 'Escape') onCancel();
          }}
        >
          {text}
        </textarea>
      </label>
      <div class="row-end">
        <button type="button" onClick={onCancel}>
          Back <kbd>Esc</kbd>
        </button>
        <button type="button" class="main" onClick={done}>
          See it in place <kbd>Ctrl ↵</kbd>
        </button>
      </div>
    </div>
  );
}

export function Decline({ onDecline, onCancel }: { onDecline: (reason: string) => void; onCancel: () => void }) {
  return <OneLine label="Why (optional)" button="Decline" onDone={onDecline} onCancel={onCancel} />;
}

export function Until({ onDone, onCancel }: { onDone: (until: string) => void; onCancel: () => void }) {
  return (
    <OneLine
      label="When to review it again: a date, or 90d, 6 months, 1y"
      button="Set"
      onDone={onDone}
      onCancel={onCancel}
    />
  );
}

function OneLine({
  label,
  button,
  onDone,
  onCancel,
}: {
  label: string;
  button: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}) {
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(ref.current?.value.trim() ?? '');
      }}
    >
      <label>
        {label}
        <input
          ref={ref}
          maxLength={500}
          autocomplete="off"
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
      </label>
      <div class="row-end">
        <button type="button" onClick={onCancel}>
          Back <kbd>Esc</kbd>
        </button>
        <button type="submit" class="main">
          {button} <kbd>↵</kbd>
        </button>
      </div>
    </form>
  );
}
