import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { StoredText } from '../ledger/entry.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { citedProject } from './cited-project.ts';
import { codeMemo, openCode } from './io/project-code.ts';
import { type AnchorsOf, anchorsIn } from './make-anchors.ts';

/** Of what is about to be decided; notes alone cite a project. Before the lock: a large project takes its time. */
export async function anchoringFor(
  app: AppContext,
  settings: Settings,
  { kind, image_id, file }: Pick<Proposal, 'kind' | 'image_id' | 'file'>,
  text: string,
): Promise<AnchorsOf> {
  if (kind !== 'notes' || file !== 'notes.md' || image_id === null) return () => [];
  const root = citedProject(app, settings, settings.workspace({ id: image_id }));
  return root === null ? () => [] : anchorsIn(text, openCode(root, codeMemo(app)));
}

export type ToStored = (text: string) => StoredText;

export function toStoredWith(anchorsOf: AnchorsOf): ToStored {
  return (text) => {
    const anchors = anchorsOf(text);
    return anchors.length > 0 ? { text, anchors } : { text };
  };
}
