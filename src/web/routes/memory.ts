import { textDiff } from '../../gate/proposals/proposal-diff.ts';
import type { Edit } from '../../waiting/waiting.ts';
import type { Ask, Page } from '../answers.ts';
import { rememberShown } from '../guard.ts';

const MAX_BLOCKS = 1000;

/** A file of a workspace, or of no workspace: a taste. */
function namedIn({ text }: Pick<Ask, 'text'>): { file: string; id: string | undefined } {
  return { file: text('file'), id: text('id') || undefined };
}

export function memoryRoutes({ bearings }: Pick<Page, 'bearings'>) {
  return {
    /** Every decision on a file, the newest first; a text is null where it is not kept. */
    async 'GET /api/history'(ask: Ask) {
      const { file, id } = namedIn(ask);
      return (await bearings.gate()).history(file, { id });
    },

    // The earlier text as it would be written. Shown whole, it can be decided on like anything else.
    async 'GET /api/earlier'(ask: Ask) {
      const { file, id } = namedIn(ask);
      const gate = await bearings.gate();
      const isUndo = ask.text('what') === 'undo';
      const decision = ask.text('decision') || undefined;
      const plan = isUndo ? await gate.showUndo(decision) : await gate.showRestore(file, decision, { id });
      const { target, before, after, not_kept, decision_id } = plan;
      const accept = async (_: unknown, edit: Edit) => {
        const { ledger } = await gate.goBack(plan, edit);
        return { status: isUndo ? 'undone' : 'restored', target, ledger };
      };
      const diff = after === (before ?? '') ? [] : textDiff(before, after);
      return { binding: rememberShown(ask.visitor, plan, { accept }), target, decision_id, diff, not_kept };
    },

    async 'GET /api/memory'() {
      const workspaces = await (await bearings.workspaces()).listWorkspaces();
      return { workspaces, tastes: await (await bearings.tastes()).listTastes() };
    },

    async 'GET /api/workspace'({ text }: Pick<Ask, 'text'>) {
      const id = text('id');
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
    },

    async 'GET /api/file'(ask: Pick<Ask, 'text'>) {
      const { file, id } = namedIn(ask);
      const { target, blocks } = await (await bearings.gate()).blame(file, { id });
      return { target, total: blocks.length, rows: blocks.slice(0, MAX_BLOCKS) };
    },
  };
}
