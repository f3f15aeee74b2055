import { invalidInput, notFound, orNull } from '../errors.ts';
import { isInside, join, resolve } from '../files/paths.ts';
import { readRange, withFile } from '../files/read-file.ts';
import { listProject } from '../project/io/project-listing.ts';
import type { AppContext } from '../settings/app-context.ts';
import { parseTask } from './template/parse-task.ts';
import type { FindTemplate, FoundTemplate } from './template/read-task-parts.ts';
import { type Task, TEMPLATE_LIMITS } from './template/template.ts';
import { sharedWords, wordsOf } from './text.ts';

/** Where templates that have a name are, in a project's `.bearings` and in the home. */
const TASKS_FOLDER = 'tasks';
const ENDINGS = ['.xml', '.json'];

// The size is looked at before anything is read.
export function readTemplate(path: string, label: string, scope: string | null): Uint8Array {
  const file = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, Math.min(size, TEMPLATE_LIMITS.chars + 1)));
  if (file.status === 'ok') return file.value;
  if (file.status === 'missing') {
    // The guides use the examples of the package, which are in no folder of the reader.
    const examples = 'Put the examples here first: bearings demo --examples';
    throw notFound(`There is no file ${label}.`, label.startsWith('examples/') ? examples : 'Check its name.');
  }
  throw invalidInput(`${label} can't be read: ${file.reason}.`, 'Give a template file.');
}

/** What a call may name: a file of the project, or the name of a template of the project or the home. */
export function templateFinder(app: AppContext, project: string, folder: string): FindTemplate {
  const read = (path: string, file: string, scope: string): FoundTemplate | null =>
    orNull(() => ({ file, source: readTemplate(path, file, scope) }));
  return (name) => {
    if (name.includes('/') || ENDINGS.some((ending) => name.endsWith(ending))) {
      if (!isInside(project, resolve(project, name))) return { problem: 'it is outside of the project' };
      const found = read(resolve(project, name), name, project) ?? read(resolve(folder, name), name, folder);
      return found ?? { problem: 'there is no such file in the project or beside the template' };
    }
    for (const ending of ENDINGS) {
      const inProject = join('.bearings', TASKS_FOLDER, `${name}${ending}`);
      const found =
        read(join(project, inProject), inProject, project) ??
        read(join(app.home, TASKS_FOLDER, `${name}${ending}`), `~/${TASKS_FOLDER}/${name}${ending}`, app.home);
      if (found) return found;
    }
    return { problem: 'neither the project nor the home has one of that name' };
  };
}

export type FittingTemplate = Awaited<ReturnType<typeof fittingTemplates>>[number];

const MAX_FILES = 2_000;
const MAX_NAMED = 10;

/** Templates of the project and the home that speak of the same, best first. */
export async function fittingTemplates(app: AppContext, words: string) {
  const asked = wordsOf(words);
  const listed = (await listProject(app.cwd)).filter((name) => ENDINGS.some((ending) => name.endsWith(ending)));
  const homes = (await listProject(join(app.home, TASKS_FOLDER)).catch(() => [])).map((name) =>
    join(app.home, TASKS_FOLDER, name),
  );
  const fitting = [...listed, ...homes].slice(0, MAX_FILES).flatMap((path) => {
    const task = taskIn(resolve(app.cwd, path), path);
    if (task === null) return [];
    const { name, description } = task;
    return {
      file: app.forPerson(path),
      name,
      description,
      words: sharedWords(asked, `${name} ${description} ${path}`),
    };
  });
  return fitting
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || (a.file < b.file ? -1 : 1))
    .slice(0, MAX_NAMED);
}

/** The task in a file; null where it is something else. */
export function taskIn(path: string, label: string): Task | null {
  if (!ENDINGS.some((ending) => path.endsWith(ending))) return null;
  return orNull(() => parseTask(readTemplate(path, label, null), { file: label, lenient: true }).task);
}
