import type { ComponentChildren, ComponentProps, Ref } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DiffLine } from '../../gate/proposals/proposal-diff.ts';
import { go, pathOf } from './route.ts';
import { counted, figure } from './words.ts';

interface Inside {
  children: ComponentChildren;
}

// The browser's own: it holds the focus, closes on Escape, and gives the focus back.
export function Dialog({ title, onClose, children }: Inside & { title: string; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** `letter`: the key that does the same. */
export function Button({ children, letter, ...rest }: ComponentProps<'button'> & { letter?: string }) {
  return (
    <button type="button" {...rest}>
      {children}
      {letter ? [' ', <kbd>{letter}</kbd>] : null}
    </button>
  );
}

interface AskProps {
  label: string;
  button: string;
  onDone: (text: string) => void;
  onBack: () => void;
  back?: string;
  text?: string;
  rows?: number;
  type?: 'text' | 'password';
}

/** What the person types: one line, or with `rows` a text. */
export function Ask({ label, button, onDone, onBack, back = 'Back', text = '', rows, type = 'text' }: AskProps) {
  const ref = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  // At once: the next key is the first of the person's words, not a command.
  useLayoutEffect(() => ref.current?.focus(), []);
  const done = (event: Event): void => {
    event.preventDefault();
    const typed = ref.current?.value ?? '';
    onDone(rows ? typed.replace(/\r\n/g, '\n') : type === 'text' ? typed.trim() : typed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (rows && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) done(event);
    if (event.key === 'Escape') onBack();
  };
  const shared = { ref, defaultValue: text, onKeyDown };
  return (
    <form class="editor" onSubmit={done}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the field is inside, of one kind or the other */}
      <label>
        {label}
        {rows ? (
          <textarea {...shared} rows={rows} />
        ) : (
          <input {...shared} type={type} maxLength={type === 'text' ? 500 : 1000} autocomplete="off" />
        )}
      </label>
      <div class="row-end">
        <Button onClick={onBack} letter="Esc">
          {back}
        </Button>
        <Button type="submit" class="main" letter={rows ? 'Ctrl ↵' : '↵'}>
          {button}
        </Button>
      </div>
    </form>
  );
}

/** What went wrong, told to a screen reader at once; nothing where nothing did. */
export function Problem({ text }: { text: string | null }) {
  return text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;
}

export function Warnings({ lines }: { lines: readonly string[] }) {
  return lines.length === 0 ? null : (
    <ul class="warnings">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

/** Rows of cells; the first says what each is about. */
export function Table({ rows, class: name = '' }: { rows: readonly (readonly string[])[]; class?: string }) {
  return (
    <table class={`plain-table ${name}`}>
      <tbody>
        {rows.map(([first, ...others]) => (
          <tr>
            <td class="path">{first}</td>
            {others.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NAMES = { '+': 'added', '-': 'removed', ' ': 'unchanged' } as const;

export function Diff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard
    <section class="diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {lines.map(({ mark, number, text }) => (
            <tr class={NAMES[mark]}>
              <td class="number">{number ?? ''}</td>
              <td class="mark">
                <span aria-hidden="true">{mark}</span>
                <span class="unseen">{mark === ' ' ? '' : NAMES[mark]}</span>
              </td>
              <td class="line">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A text of others, as text; of a long one its beginning. */
export function TextBox({ text, chars, label }: { text: string; chars: number; label: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="shown-text" tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      {chars > text.length ? (
        <p class="quiet">
          The first {figure(text.length)} of {figure(chars)} characters.
        </p>
      ) : null}
    </>
  );
}

interface SplitProps extends Inside {
  names: readonly [list: string, one: string];
  counter: ComponentChildren;
  /** `onGo` closes the list where it covers the rest. */
  list: (onGo: () => void) => ComponentChildren;
  box?: Ref<HTMLDivElement>;
  foot?: ComponentChildren;
}

// A list on the left, one thing of it in the middle; on a narrow screen one of the two, and the counter opens the list.
export function SplitView({ names: [listName, oneName], counter, list, box, foot, children }: SplitProps) {
  const [listOpen, setListOpen] = useState(false);
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label={listName}>
        {list(() => setListOpen(false))}
      </section>
      <section class="one" aria-label={oneName}>
        <div class="scroll" ref={box}>
          <p class="counter">
            <Button class="list-toggle" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
              {counter}
            </Button>
          </p>
          {children}
        </div>
        {foot}
      </section>
    </div>
  );
}

interface ListProps<Row> extends Inside {
  names: SplitProps['names'];
  what: string;
  /** Lists the rest. */
  command: string;
  all: { total: number; rows: readonly Row[] };
  draw: (row: Row) => { to: readonly string[]; isHere: boolean; name: ComponentChildren; about: string };
  above?: ComponentChildren;
}

/** Rows that lead to their places. */
export function ListView<Row>({ names, what, command, all, draw, above = null, children }: ListProps<Row>) {
  const { total, rows } = all;
  return (
    <SplitView
      names={names}
      counter={counted(total, what)}
      list={(onGo) => (
        <>
          {above}
          <nav class="tree" aria-label={names[0]}>
            {rows.map(draw).map(({ name, about, ...place }) => (
              <PlaceLink key={place.to.join('/')} {...place} class="session" onGo={onGo}>
                <span class="row-name">{name}</span>
                <span class="quiet">{about}</span>
              </PlaceLink>
            ))}
            <Beyond left={total - rows.length} what={`more ${what}`} command={command} />
          </nav>
        </>
      )}
    >
      {children}
    </SplitView>
  );
}

/** What is not shown, and the command that does. */
export function Beyond({ left, what, command }: { left: number; what: string; command: string }) {
  return left > 0 ? (
    <p class="quiet">
      and {counted(left, what)}: <code>{command}</code>
    </p>
  ) : null;
}

/** Nothing here yet, and how something comes. */
export function Empty({ name, title, children }: Inside & { name: string; title: string }) {
  return (
    <section class="empty" aria-label={name}>
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface LinkProps extends Inside {
  to: readonly string[];
  isHere?: boolean;
  class?: string;
  onGo?: () => void;
}

/** A link to a place of the page: back and forward, a new tab and the keyboard work as everywhere. */
export function PlaceLink({ to, isHere = false, onGo, ...rest }: LinkProps) {
  const click = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(...to);
    onGo?.();
  };
  return <a href={pathOf(...to)} aria-current={isHere ? 'page' : undefined} onClick={click} {...rest} />;
}

// A line of no height below what is decided on: once it is in view, all of that was.
export function End({ onSeen }: { onSeen: () => void }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
      },
      { root: ref.current?.closest('.scroll') ?? null },
    );
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return <div class="item-end" ref={ref} aria-hidden="true" />;
}
