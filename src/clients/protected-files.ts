import type { AppContext } from '../settings/app-context.ts';
import { CLIENTS } from './client-table.ts';
import { locationPath } from './io/client-locations.ts';

/** Files that decide what Bearings holds and when it is called: an agent is asked about before it edits them. */
export function protectedFiles(app: AppContext) {
  return (project: string) => {
    const hooks = CLIENTS.flatMap(({ hooks }) => (hooks ? [hooks.user, hooks.project] : []));
    const shared = ['.bearings', '.claude/settings.json', '.github/hooks', '.opencode/plugin', '.opencode/plugins'];
    const patterns = [app.home, ...shared, ...hooks.map((spot) => locationPath(spot, project, app.variables))];
    return {
      decision: 'ask' as const,
      about: 'path' as const,
      patterns,
      sentence:
        'Bearings: this is where the person’s decisions and the settings of Bearings’ hooks are, so the person is asked first.',
    };
  };
}
