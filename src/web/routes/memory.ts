import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { Visitor } from '../guard.ts';
import type { Live } from '../live.ts';
import { type FileView, fileView } from '../passages.ts';
import type { FilePage, MemoryList, Passage, WorkspacePage } from '../wire.ts';
import { CREDENTIAL, withSignature } from './sign.ts';

/** Longer texts are for the person's own editor. */
const MOST_EDITED_CHARS = 400_000;

export interface Named {
  file: string;
  id: string | undefined;
}

export async function memoryList(bearings: Rooms): Promise<MemoryList> {
  const workspaces = (await (await bearings.workspaces()).listWorkspaces()).map(({ id, folder }) => ({ id, folder }));
  return { workspaces, tastes: await (await bearings.tastes()).listTastes() };
}

export async function workspacePage(bearings: Rooms, live: Live, id: string): Promise<WorkspacePage> {
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
}

export async function filePage(bearings: Rooms, live: Live, named: Named): Promise<FilePage> {
  return (await view(bearings, live, named)).page;
}

export async function chunk(bearings: Rooms, live: Live, named: Named & { at: number }): Promise<Passage[]> {
  const passages = (await view(bearings, live, named)).chunks[named.at];
  if (!passages) throw notFound('The file is shorter now.', 'Reload the page.');
  return passages;
}

function view(bearings: Rooms, live: Live, { file, id }: Named): Promise<FileView> {
  return live.remembered(`file ${file} ${id ?? ''}`, async () => {
    const blame = await (await bearings.gate()).blame(file, { id });
    const last = blame.blocks.at(-1)?.last_line ?? 0;
    return fileView(blame, last);
  });
}

export async function editable(bearings: Rooms, { file, id }: Named): Promise<{ text: string; sha256: string | null }> {
  const found = await (await bearings.gate()).editableText(file, { id });
  if (found.text.length > MOST_EDITED_CHARS)
    throw invalidInput(
      'This file is too long to be edited here.',
      `In a terminal: bearings edit ${editName(file, id)}`,
    );
  return found;
}

const SAVE = z.strictObject({
  file: z.string(),
  id: z.string().optional(),
  text: z.string().max(MOST_EDITED_CHARS * 2),
  before_sha256: z.string().nullable(),
  passphrase: z.string().max(1000).optional(),
  credential: CREDENTIAL,
});

export async function save(bearings: Rooms, visitor: Visitor, body: unknown) {
  const parsed = SAVE.safeParse(body);
  if (!parsed.success) throw invalidInput("This can't be saved.", 'Reload the page.');
  const { file, id, credential, ...rest } = parsed.data;
  return withSignature({ bearings, visitor }, credential, async (passkey) =>
    (await bearings.gate()).saveText(file, { id }, { via: 'page', passkey, ...rest }),
  );
}

function editName(file: string, id: string | undefined): string {
  return file.startsWith('tastes/')
    ? file.replace('/', ' ').replace(/\.md$/, '')
    : `${file.replace(/\.md$/, '')} ${id}`;
}
