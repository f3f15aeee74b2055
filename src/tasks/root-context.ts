import { contextUseCases } from '../gate/serve-context.ts';
import { renderMarkdown } from '../loader/bundle/render-markdown.ts';
import { bundleLoader } from '../loader/load.ts';
import { contextText } from '../memory/context-text.ts';
import type { AppContext } from '../settings/app-context.ts';
import { cleanText } from './clean-text.ts';
import type { RootContext } from './template/template.ts';

export interface RootParts {
  /** What the person gave as a file. */
  file: string;
  asked: RootContext;
  project: string;
}

/** The workspace that the project is in. */
const HERE = 'here';

// Read once, when a run begins: every step of it, on whatever machine, starts from the same.
export async function rootContextText(app: AppContext, { file, asked, project }: RootParts): Promise<string> {
  const parts = [file];
  if (asked.memory !== null) {
    const target = asked.memory === HERE ? { root: project } : { id: asked.memory, root: project };
    const settings = await app.settings();
    const { id } = settings.workspace(target);
    const { context, unconfirmed } = await contextUseCases(app).readFramed(target);
    parts.push(contextText(context, id, settings.number('max_chars'), unconfirmed));
  }
  if (asked.load !== null) {
    const { bundle } = await bundleLoader(app)({ task: asked.load, dir: project });
    parts.push(renderMarkdown(bundle));
  }
  return cleanText(parts.filter((part) => part !== '').join('\n\n')).text;
}
