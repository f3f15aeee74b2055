import { z } from 'zod';
import type { Blame } from '../../bearings.ts';
import { invalidInput, notFound } from '../../errors.ts';
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
  const view = (ask: Pick<Ask, 'text'>) => {
    const { file, id } = namedIn(ask);
    return live.remembered(`file ${file} ${id ?? ''}`, async () => {
      const blame = await (await bearings.gate()).blame(file, { id });
      return fileView(blame, blame.blocks.at(-1)?.last_line ?? 0);
    });
  };
  return {
    async 'GET /api/memory'() {
      const workspaces = (await (await bearings.workspaces()).listWorkspaces()).map(({ id, folder }) => ({
        id,
        folder,
      }));
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

    'GET /api/file': async (ask: Pick<Ask, 'text'>) => (await view(ask)).page,

    async 'GET /api/chunk'(ask: Ask) {
      const passages = (await view(ask)).chunks[ask.number('at')];
      if (!passages) throw notFound('The file is shorter now.', 'Reload the page.');
      return passages;
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

const CHUNK_LINES = 80;
const MAX_POINTS = 240;

type Blocks = Blame['blocks'];

interface Passage {
  first_line: number;
  text: string;
  blocks: Pick<Blocks[number], 'first_line' | 'last_line' | 'text' | 'origin'>[];
}

/** A file of memory in pieces that a page can show one by one. */
export function fileView({ target, blocks }: Blame, totalLines: number) {
  const chunks = chunksOf(passagesOf(blocks));
  return {
    page: {
      target,
      lines: totalLines,
      unaccounted: blocks.filter(({ origin }) => origin === null).length,
      chunks: chunks.map((passages) => ({
        first_line: passages[0]?.first_line ?? 1,
        lines: passages.reduce((sum, { text }) => sum + text.split('\n').length + 1, 0),
      })),
      growth: growthOf(blocks),
      /** The first chunk, so that nobody waits for it. */
      head: chunks[0] ?? [],
    },
    chunks,
  };
}

// A code fence may hold blank lines: its blocks are read as one, or half of it would look like prose.
function passagesOf(blocks: Blocks): Passage[] {
  const passages: Passage[] = [];
  let fence = '';
  for (const { first_line, last_line, text, origin } of blocks) {
    const open = passages.at(-1);
    const block = { first_line, last_line, text, origin };
    if (fence !== '' && open && open.blocks.length < CHUNK_LINES) {
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

function chunksOf(passages: Passage[]): Passage[][] {
  const chunks: Passage[][] = [];
  let lines = CHUNK_LINES;
  for (const passage of passages) {
    if (lines >= CHUNK_LINES) {
      chunks.push([]);
      lines = 0;
    }
    chunks.at(-1)?.push(passage);
    lines += passage.text.split('\n').length + 1;
  }
  return chunks;
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
