import { BearingsError } from '../errors.ts';
import { contextUseCases } from '../gate/serve-context.ts';
import { isRecord } from '../json-record.ts';
import { contextText } from '../memory/context-text.ts';
import { memoryUseCases } from '../memory/read-memory.ts';
import type { AppContext } from '../settings/app-context.ts';
import { doctorUseCases } from './doctor/doctor.ts';
import { importUseCases } from './import.ts';
import { installUseCases } from './install.ts';
import { resourceUseCases } from './resources.ts';

// What Claude Code takes from a hook; beyond it the text would end in a file that no agent reads.
const HOOK_CHARS = 10_000;

// Around the agents' own programs: setting them up, and what they ask for at their start.
export function clientUseCases(app: AppContext, openGate: Parameters<typeof importUseCases>[1]) {
  const memory = memoryUseCases(app);
  return {
    ...installUseCases(app),
    ...importUseCases(app, openGate),
    ...resourceUseCases(app),
    ...doctorUseCases(app, async () => (await import('../gate/domains.ts')).openDomains(app)),

    // `input` is what the client says about its session. Never throws.
    async hookContext(id: string | undefined, input: string): Promise<string> {
      try {
        const target = { id, root: folderIn(input) };
        const { context, warnings } = await contextUseCases(app).readContext(target, { forAgent: true });
        const key = await memory.workspaceKey(target);
        if (key !== null) {
          const text = contextText(context, key, HOOK_CHARS);
          const session = await (await openGate()).standingSession(target, 'hook');
          session.served(text, { tool: 'read --hook', arguments: {} });
          return text;
        }
        // Where no workspace is meant, the first warning says so and how to make one.
        const [how = ''] = warnings;
        return `${contextText(context, 'this work', HOOK_CHARS - how.length - 2)}\n\n${how}`;
      } catch (error) {
        const reason = error instanceof BearingsError ? error.message : 'Something went wrong inside bearings.';
        return `Bearings could not bring the context: ${reason} The person can run: bearings doctor`;
      }
    },
  };
}

function folderIn(input: string): string | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) && typeof value.cwd === 'string' && value.cwd !== '' ? value.cwd : undefined;
  } catch {
    return undefined;
  }
}
