import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Rooms } from '../bearings.ts';
import type { MemoryText } from '../clients/resources.ts';
import { BearingsError, orNull } from '../errors.ts';
import { INTERNAL } from './tool.ts';

const KINDS = {
  taste: { uri: 'bearings://tastes/{name}', title: 'Tastes', description: 'What the person always wants' },
  brief: { uri: 'bearings://workspaces/{id}/brief', title: 'brief', description: 'What this work is for' },
  notes: {
    uri: 'bearings://workspaces/{id}/notes',
    title: 'notes',
    description: 'What was learnt; long notes are shortened',
  },
} as const;
const MIME = 'text/markdown';

// The texts of memory to look at and to attach. Reading only; every change still goes through proposals.
export function registerResources(server: McpServer, bearings: Rooms): void {
  for (const kind of ['taste', 'brief', 'notes'] as const) {
    const { uri: address, ...about } = KINDS[kind];
    const variable = kind === 'taste' ? 'name' : 'id';
    const of = (name: string): MemoryText => (kind === 'taste' ? { kind, name } : { kind, id: name });
    const entry = (name: string) => ({
      uri: address.replace(/\{\w+\}/, encodeURIComponent(name)),
      name: kind === 'taste' ? `${name}.md` : `${kind} of ${name}`,
      mimeType: MIME,
    });
    const names = async () => {
      const { tastes, workspaces } = await (await bearings.clients()).memoryNames();
      return kind === 'taste' ? tastes : workspaces;
    };
    const template = new ResourceTemplate(address, {
      list: async () => ({ resources: (await names()).map(entry) }),
    });
    server.registerResource(kind, template, { ...about, mimeType: MIME }, async (uri, values) => {
      try {
        const { text: served, warnings } = await (await bearings.clients()).memoryText(of(text(values[variable])));
        const told = warnings.map((warning) => ({ uri: `${uri.href}#warning`, mimeType: 'text/plain', text: warning }));
        return { contents: [{ uri: uri.href, mimeType: MIME, text: served }, ...told] };
      } catch (error) {
        const message = error instanceof BearingsError ? error.message : INTERNAL;
        throw new ResourceNotFoundError(uri.href, message);
      }
    });
  }
}

function text(value: string | string[] | undefined): string {
  const written = Array.isArray(value) ? value.join('') : (value ?? '');
  return orNull(() => decodeURIComponent(written)) ?? written;
}

/** How the tiers relate to each other, for an agent that has never met them. */
export const FRAME =
  "Tastes are the person's opinions, the brief and the notes say what holds here and where the limits are: a declared genre goes before the default taste, the brief before both. Where they contradict each other, do not choose: say so and let the person decide.";

const START = `Call read_context first. ${FRAME} Then tell me in a few lines: what this work is for, which tastes apply, what the last notes and the log say, and what you would do next. Name every entry of tastes.conflicts and ask me which one holds. Do not start to work before I answer.`;

const WRAP_UP = [
  'Let us wrap up. Please, in this order:',
  '1. Say in a few lines what was done, what was learnt and what stays open.',
  '2. For each thing worth remembering here, propose one note with propose_notes_update, short and in my words. A lasting preference of mine for all work goes through propose_taste_update. Propose nothing that is in memory already.',
  '3. For each proposal call the confirm tool, so that I can decide. Only I can accept it.',
  '4. Record with log_vocabulary_gap what I wanted and you could not do.',
  '5. When I have decided, or said that I will decide later with `bearings review`, call end_session.',
].join('\n');

// Constant words: nothing from a file enters them, only the id the person chose.
export function registerPrompts(server: McpServer, bearings: Rooms): void {
  const ids = z.string().describe('Workspace id; default: the current one').optional();
  for (const [name, title, description, text] of [
    ['start_session', 'Start a session', 'Read the context and say where the work stands.', START],
    ['wrap_up', 'Wrap up', 'Propose what should last, let the person decide, and end the session.', WRAP_UP],
  ] as const)
    server.registerPrompt(
      name,
      { title, description, argsSchema: z.object({ image_id: ids }) },
      async ({ image_id }) => {
        const where = image_id
          ? `\n\nThe workspace is ${JSON.stringify(await (await bearings.memory()).workspaceId({ id: image_id }))}: give it as image_id.`
          : '';
        return { messages: [{ role: 'user', content: { type: 'text', text: text + where } }] };
      },
    );
}
