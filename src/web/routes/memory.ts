import { z } from 'zod';
import type { Blame } from '../../bearings.ts';
import { invalidInput } from '../../errors.ts';
import type { Ask, Page } from '../answers.ts';
import { SIGNED_BODY, withSignature } from './sign.ts';

/** Longer texts are for the person's own editor. */
const MAX_EDITED_CHARS = 400_000;
const SAVE = z.strictObject({
  file: z.string(),
  id: z.string().optional(),
  text: z.string().max(MAX_EDITED_CHARS * 2),
  before_sha256: z.string().nullable(),
  ...SIGNED_BODY,
});

/** A file of a workspace, or of no workspace: a taste. */
export function namedIn({ text }: Pick<Ask, 'text'>): { file: string; id: string | undefined } {
  return { file: text('file'), id: text('id') || undefined };
}

export function memoryRoutes({ bearings, live }: Pick<Page, 'bearings' | 'live'>) {
  return {
    async 'GET /api/memory'() {
      const workspaces = await (await bearings.workspaces()).listWorkspaces();
      return { workspaces, tastes: await (await bearings.tastes()).listTastes() };
    },

    async 'GET /api/workspace'({ text }: Pick<Ask, 'text'>) {
      const id = text('id');
      return live.remembered(`workspace ${id}`, async () => {
        const { workspace, context, warnings, lines } = await (await bearings.memory()).overview({ id });
        const { tastes, raw } = context.brief;
        return {
          id,
          folder: workspace.folder,
          brief: raw,
          tastes: tastes.map((name) => ({ name, missing: !Object.hasOwn(context.tastes.genres, name) })),
          conflicts: await (await bearings.page()).conflictSides({ id }, tastes),
          warnings,
          lines,
        };
      });
    },

    /** A window of its passages. */
    async 'GET /api/file'({ text, number }: Pick<Ask, 'text' | 'number'>) {
      const { file, id } = namedIn({ text });
      const from = number('from');
      const { passages, ...about } = await live.remembered(`file ${file} ${id ?? ''}`, async () =>
        fileView(await (await bearings.gate()).blame(file, { id })),
      );
      return { ...about, total: passages.length, from, rows: passages.slice(from, from + MAX_PASSAGES) };
    },

    async 'GET /api/text'(ask: Ask) {
      const { file, id } = namedIn(ask);
      const editable = await (await bearings.gate()).editableText(file, { id });
      if (editable.text.length > MAX_EDITED_CHARS)
        throw invalidInput(
          'This file is too long to be edited here.',
          `In a terminal: bearings edit ${editName(file, id)}`,
        );
      return editable;
    },

    async 'POST /api/save'({ visitor, body }: Ask) {
      const { file, id, credential, ...rest } = await body(SAVE, "This can't be saved.");
      return withSignature({ bearings, visitor }, credential, async (passkey) =>
        (await bearings.gate()).saveText(file, { id }, { via: 'page', passkey, ...rest }),
      );
    },
  };
}

function editName(file: string, id: string | undefined): string {
  return file.startsWith('tastes/')
    ? file.replace('/', ' ').replace(/\.md$/, '')
    : `${file.replace(/\.md$/, '')} ${id}`;
}

const MAX_PASSAGES = 1000;
const MAX_FENCED = 80;
const MAX_POINTS = 240;

type Blocks = Blame['blocks'];

/** A file of memory as a page shows it. */
export function fileView({ target, blocks }: Blame) {
  return {
    target,
    lines: blocks.at(-1)?.last_line ?? 0,
    unaccounted: blocks.filter(({ origin }) => origin === null).length,
    growth: growthOf(blocks),
    passages: passagesOf(blocks),
  };
}

// A code fence may hold blank lines: its blocks are read as one, or half of it would look like prose.
function passagesOf(blocks: Blocks) {
  const passages: { first_line: number; text: string; blocks: Blocks }[] = [];
  let fence = '';
  for (const block of blocks) {
    const { first_line, text } = block;
    const open = passages.at(-1);
    if (fence !== '' && open && open.blocks.length < MAX_FENCED) {
      open.text += `\n\n${text}`;
      open.blocks.push(block);
    } else {
      fence = '';
      passages.push({ first_line, text, blocks: [block] });
    }
    for (const line of text.split('\n')) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence)) fence = '';
    }
  }
  return passages;
}

// The lines that are there today, by when they were decided.
function growthOf(blocks: Blocks) {
  const decided = blocks
    .flatMap(({ origin, first_line, last_line }) =>
      origin ? [{ at: origin.at, lines: last_line - first_line + 1 }] : [],
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const points: { at: string; lines: number }[] = [];
  let lines = 0;
  for (const each of decided) {
    lines += each.lines;
    const last = points.at(-1);
    if (last?.at === each.at) last.lines = lines;
    else points.push({ at: each.at, lines });
  }
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
