import { BearingsError } from '../errors.ts';
import { contextUseCases } from '../gate/serve-context.ts';
import { isRecord } from '../json-record.ts';
import { clipEnd } from '../memory/clip-text.ts';
import { contextText, HOOK_CHARS } from '../memory/context-text.ts';
import { memoryUseCases } from '../memory/read-memory.ts';
import type { AppContext } from '../settings/app-context.ts';
import { doctorUseCases } from './doctor/doctor.ts';
import { exportUseCases } from './export.ts';
import { importUseCases } from './import.ts';
import { installUseCases } from './install.ts';
import { resourceUseCases } from './resources.ts';

const WARNING_CHARS = 1_000;

// Around the agents' own programs: setting them up, and what they ask for at their start.
export function clientUseCases(app: AppContext, openGate: Parameters<typeof importUseCases>[1]) {
  const memory = memoryUseCases(app);
  const installs = installUseCases(app);
  return {
    ...installs,
    ...importUseCases(app, openGate),
    ...exportUseCases(app),
    ...resourceUseCases(app),
    ...doctorUseCases(
      app,
      async () => (await import('../gate/domains/domains.ts')).openDomains(app),
      installs.planInstall,
    ),

    // `input` is what the client says about its session. Never throws.
    async hookContext(id: string | undefined, input: string): Promise<string> {
      try {
        const target = { id, root: folderIn(input) };
        const { context, warnings, unconfirmed } = await contextUseCases(app).readFramed(target, { forAgent: true });
        const key = await memory.workspaceKey(target);
        // Where no workspace is meant, the first warning says so and how to make one: it comes last.
        const how = key === null ? `\n\n${warnings.shift() ?? ''}` : '';
        const lines = warnings.map((warning) => `Warning: ${warning.replace(/\s+/g, ' ')}\n`).join('');
        const told = lines === '' ? '' : `${clipEnd(lines, WARNING_CHARS).text}\n`;
        const room = HOOK_CHARS - told.length - how.length;
        const headings = key === null ? '' : await memory.elidedHeadings(target);
        const text = `${told}${contextText(context, key ?? 'this work', room, unconfirmed, headings)}${how}`;
        if (key !== null) {
          const session = await (await openGate()).standingSession(target, 'hook');
          session.served(text, { tool: 'read --hook', arguments: {} });
        }
        return text;
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
