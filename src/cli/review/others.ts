import { showHidden } from '../../safety/hidden-characters.ts';
import {
  type Added,
  asEdited,
  type Choice,
  ownText,
  type Part,
  WAITING_KINDS,
  type Waiting,
  type WaitingKind,
  waitingOf,
} from '../../waiting/waiting.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf, indented, numberedRows, padTo, widthOf, wrapTo } from '../views/columns.ts';
import {
  askReason,
  askUntil,
  type Conversation,
  choose,
  editedText,
  type Question,
  type Target,
} from './conversation.ts';

const TITLES: Partial<Record<WaitingKind, string>> = {
  clients: "decided through a client's own question",
  key: 'signed by a key you do not know',
  fault: 'faults in the record of decisions',
  block: 'written by hand, or by a key you do not know: adopt or take out',
  aside: 'set aside at the end of a session',
  older: 'older taste.md to move',
  merged: 'merged by git: to tidy',
  due: 'to review again: code or date',
};

interface Kind {
  type: WaitingKind;
  title: string;
  count: number;
}

/** All that waits beside runs and proposals, by kind; what was there before is asked about with the blocks it has. */
export async function otherKinds({ bearings }: Pick<Conversation, 'bearings'>, target: Target): Promise<Kind[]> {
  const gate = await bearings.gate();
  const kinds: Kind[] = [];
  for (const type of WAITING_KINDS) {
    const title = TITLES[type];
    const count = title === undefined ? 0 : (await waitingOf(gate, type, target, true)).length;
    if (title !== undefined && count > 0) kinds.push({ type, title, count });
  }
  return kinds;
}

/** One list of everything else; where there is one kind alone, that. */
export async function reviewOthers(conversation: Conversation, target: Target): Promise<boolean> {
  const { screen, terminal } = conversation;
  const done = new Set<string>();
  for (;;) {
    const kinds = (await otherKinds(conversation, target)).filter(({ type }) => !done.has(type));
    const [only] = kinds;
    if (!only) return true;
    let chosen = only;
    if (kinds.length > 1) {
      const key = await screen.choose({
        lines: () => [
          terminal.paint('bold', 'Beside proposals there is'),
          '',
          ...kinds.map(({ title, count }, index) => `  [${index + 1}]  ${String(count).padStart(4)}  ${title}`),
        ],
        keys: `${kinds.map((_, index) => `[${index + 1}]`).join(' ')}  [n]ext  [?] help  [q]uit`,
        help: ['1   opens that kind; n the first of them', 'q   leaves the rest for later'],
      });
      if (key === 'q') return false;
      chosen = kinds[Number(key) - 1] ?? only;
    }
    if (!(await reviewKind(conversation, target, chosen.type))) return false;
    done.add(chosen.type);
  }
}

async function reviewKind(conversation: Conversation, target: Target, kind: WaitingKind) {
  const gate = await conversation.bearings.gate();
  const [first] = kind === 'block' ? await waitingOf(gate, 'first', target) : [];
  const key = first ? await choose(conversation, questionAbout(conversation, first, '')) : '';
  if (key === 'q' || key === 'n') return key === 'n';
  const listed = await waitingOf(gate, kind, target, true);
  for (const [index, { key }] of listed.entries()) {
    // As it is now: what was taken out moved the others up.
    const item = (await waitingOf(gate, kind, target, true)).find((each) => each.key === key);
    const place = `${index + 1} of ${listed.length}   `;
    if (item && (await choose(conversation, questionAbout(conversation, item, place))) === 'q') return false;
  }
  // They are asked once, and can list it any time.
  if (kind === 'aside') await gate.rememberReview();
  return true;
}

/** A page about one thing that waits, and what each of its keys does. */
export function questionAbout(conversation: Conversation, item: Waiting, place: string): () => Question {
  const { terminal, passphrase } = conversation;
  const own = ownText(item.parts) ?? '';
  let edited: string | undefined;
  const act = async ([, , , name]: Choice): Promise<string | null> => {
    if (name === 'edit') {
      edited = (await editedText(conversation, edited ?? own)) ?? edited;
      return null;
    }
    const until = name === 'until' ? await askUntil(conversation) : undefined;
    const reason = name === 'decline' ? await askReason(conversation) : undefined;
    if (until === null || reason === null) return null;
    const added: Added = { edited, until: until || undefined, reason: reason || undefined };
    const acted = await item.deeds[name === 'until' ? 'keep' : (name as 'keep')]?.(added, {
      via: 'review',
      passphrase,
    });
    return acted ? [acted.status, acted.target, acted.next].filter(Boolean).join(' · ') : null;
  };
  const deciding = item.choices.filter(([, , , name]) => name !== 'skip');
  return () => ({
    lines: (columns) => [
      ...wrapTo(showHidden(`${place}${item.title}`), columns).map((row) => terminal.paint('bold', row)),
      ...wrapTo(showHidden([item.about, item.at && ageOf(item.at, new Date())].filter(Boolean).join(' · ')), columns),
      ...waitingLines(item, { columns, paint: terminal.paint, edited }),
    ],
    choices: Object.fromEntries(item.choices.map(([key, label, about]) => [labelOf(key, label), about])),
    yes: deciding.flatMap(([key, , , name]) => (name === 'edit' || name === 'decline' ? [] : key)).join(''),
    acts: Object.fromEntries(deciding.map((choice) => [choice[0], () => act(choice)])),
  });
}

const labelOf = (key: string, label: string): string =>
  label.startsWith(key) ? `[${key}]${label.slice(1)}` : `[${key}] ${label}`;

/** What is shown of it, from edge to edge. */
export function waitingLines(
  { type, parts }: Pick<Waiting, 'type' | 'parts'>,
  { columns, paint, edited }: { columns: number; paint: Terminal['paint']; edited?: string | undefined },
): string[] {
  const linesOfPart = (part: Part): string[] => {
    if (part.is === 'text') return indented(part.text, columns);
    if (part.is === 'rows') {
      const width = Math.max(...part.rows.map(({ cells }) => widthOf(showHidden(cells[0] ?? ''))));
      return part.rows.flatMap(({ cells: [first = '', ...others], at }) => {
        const about = [...others, at && ageOf(at, new Date())].filter(Boolean).join(' · ');
        return wrapTo(`  ${padTo(showHidden(first), width)}  ${showHidden(about)}`, columns);
      });
    }
    if (part.is === 'diff')
      return part.lines.flatMap(({ mark, number, text }) => {
        // Nobody said yes or no to a block.
        const rows = numberedRows(text, columns, number, type === 'block' && mark !== ' ' ? '?' : mark);
        return mark === ' ' ? rows : rows.map((row) => paint(type === 'block' ? 'yellow' : 'green', row));
      });
    const rows = wrapTo(showHidden(part.text), columns - 2);
    return part.is === 'note' ? rows : rows.map((line) => paint('yellow', `  ${line}`));
  };
  const note = edited === undefined ? [] : ['', paint('yellow', '  as you edited it')];
  // What announces the next stands right above it.
  const isAnnounced = (before?: Part) => before?.is === 'note' && before.text.endsWith(':');
  return [
    ...parts.flatMap((part, at) => [
      ...(isAnnounced(parts[at - 1]) ? [] : ['']),
      ...linesOfPart(asEdited(part, edited)),
    ]),
    ...note,
  ];
}
