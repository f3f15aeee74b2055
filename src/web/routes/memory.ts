import { z } from 'zod';
import { invalidInput } from '../../errors.ts';
import type { Ask, Page } from '../answers.ts';
import { SIGNED_BODY, withSignature } from './sign.ts';

/** Longer texts are for the person's own editor. */
const MAX_EDITED_CHARS = 400_000;
const MAX_BLOCKS = 1000;
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
          conflicts: context.tastes.conflicts,
          warnings,
          lines,
        };
      });
    },

    async 'GET /api/file'(ask: Pick<Ask, 'text'>) {
      const { file, id } = namedIn(ask);
      const { target, blocks } = await (await bearings.gate()).blame(file, { id });
      const unaccounted = blocks.filter(({ origin }) => origin === null).length;
      const lines = blocks.at(-1)?.last_line ?? 0;
      return { target, lines, unaccounted, total: blocks.length, rows: blocks.slice(0, MAX_BLOCKS) };
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
