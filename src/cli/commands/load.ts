import { isAbsolute, join } from 'node:path';
import { typedName } from '../../closest.ts';
import { invalidInput } from '../../errors.ts';
import type { Bundle } from '../../loader/bundle/bundle.ts';
import type { Rendering } from '../../loader/load.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { LOAD_OPTIONS, loadRequest, projectDir } from '../load-options.ts';

export const command = defineCommand({
  help: `
    bearings load [DIR] --task TEXT [--for NAME] [--adapter NAME]... [--out FILE] [--json|--markdown|--xml]

    The project's own rules first, then the files that fit the task, inside a hard budget.
    Same project and same words give the same bytes. A picture on a terminal, JSON into a pipe.

    ${LOAD_OPTIONS}
    --receipt EVENT  keep a receipt; see: bearings drift --help
    --out FILE  write the bundle there
    --out-file FILE  the same as --out, from the folder of the project
    --markdown  as Markdown, for a prompt
    --xml  as XML, for a prompt
    --table  as the table of a terminal, also into a pipe

    bearings load --task "fix the build"  what is in, what is out, and why
    bearings load --for helper --task "fix the build"  short, for a helper of an agent
    bearings load --task - < issue.md  an issue with its log, up to 100,000 characters
    bearings load --out bundle.json  keep it, then: bearings drift bundle.json
  `,
  maxWords: 1,
  async run(call) {
    const { bearings, terminal, text } = call;
    const progress = terminal.interactive
      ? (await import('../terminal/progress.ts')).progressOn(terminal, 'reading the project')
      : null;
    const options = await loadRequest(call, call.words[0]);
    const request = { ...options, receipt: text('receipt'), onProgress: progress?.step };
    const as = rendering(call);
    const out = outFile(call);
    const loader = await bearings.loader();
    const unsignedIn = async ({ arguments: { tactical } }: Bundle): Promise<string[]> =>
      tactical ? (await bearings.memory()).notesWarnings({ id: text('workspace'), root: request.dir }) : [];
    if (out !== undefined) {
      const form = as === null || as === 'table' ? 'json' : as;
      const bundle = await loader.saveBundle(request, { path: out, as: form });
      progress?.end();
      const { bundle_sha256 } = bundle;
      for (const warning of await unsignedIn(bundle)) terminal.warn(`warning: ${warning}`);
      // Only JSON can be compared.
      const next = form === 'json' ? `\nis it still true? bearings drift ${typedName(out)}` : '';
      const words = `wrote ${out} · bundle ${bundle_sha256.slice(0, 12)}${next}`;
      terminal.print(call.json ? JSON.stringify({ out, bundle_sha256 }) : words);
      return EXIT.done;
    }
    const bundle = await loader.loadContext(request);
    progress?.end();
    const unsigned = await unsignedIn(bundle);
    if (as === 'table' || (as === null && terminal.interactive)) {
      const { loadView } = await import('../views/load-view.ts');
      const event = text('receipt');
      const notes = event
        ? [`receipt ${event} is stored; is it still true? bearings drift --receipt --event ${event}`]
        : [];
      const told = { ...bundle, warnings: [...bundle.warnings, ...unsigned] };
      terminal.print(loadView(told, terminal, notes));
      return EXIT.done;
    }
    for (const warning of unsigned) terminal.warn(`warning: ${warning}`);
    const rendered = (await loader.renderBundle(bundle, as ?? 'json')).replace(/\n$/, '');
    // A pipe gets the text as it is; what makes it safe for a screen takes time to load.
    terminal.print(
      terminal.interactive ? (await import('../views/columns.ts')).forReader(rendered, terminal) : rendered,
    );
    return EXIT.done;
  },
});

// `--out-file` is meant from the project, as the loader has it whose flag it is.
function outFile(call: Call): string | undefined {
  const [out, inProject] = [call.text('out'), call.text('out-file')];
  if (out !== undefined || inProject === undefined || isAbsolute(inProject)) return out ?? inProject;
  return join(projectDir(call, call.words[0]) ?? '.', inProject);
}

// Null: nobody asked for one.
function rendering({ flag, json }: Call): Rendering | 'table' | null {
  const named = (['markdown', 'xml', 'table'] as const).filter((name) => flag(name));
  const asked = json ? (['json', ...named] as const) : named;
  if (asked.length > 1)
    throw invalidInput('Choose one of --json, --markdown, --xml and --table.', 'Leave the others out.');
  return asked[0] ?? null;
}
