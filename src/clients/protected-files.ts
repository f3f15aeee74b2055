import type { AppContext } from '../settings/app-context.ts';
import { CLIENTS } from './client-table.ts';
import { locationPath } from './io/client-locations.ts';

/** Called by its name or a path, with a version or through Node. */
const OWN_PROGRAM = /(?:^|[\\/])bearings(?:@\S+)?(?:\.cmd|\.exe)?$|[\\/]main\.cjs$/;
const STARTED_BY = /^(?:pnpm|yarn|bun|node(?: -\S+)*)?$/;
/** What it is told to change, and what of that only shows. */
const CHANGES =
  /^(?:install|init|edit|undo|erase|review|import|config (?:set|unset|confirm)|workspaces (?:rename|remove|link|unlink)|policy (?:allow|revoke)|export .*--keep|verify .*--(?:trust|untrust|new-key)|doctor .*--fix)(?= |$)/;
const SHOWS = / --(?:list|show|print|help)\b| -h\b/;

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
      /** Asked first: most command lines are then not read once more. */
      mayBeIn: (command: string | null) => /bearings|main\.cjs/.test(command ?? ''),
      /** A command of our own that changes them. */
      isChangedBy(words: readonly string[]) {
        const at = words.findIndex((word) => OWN_PROGRAM.test(word));
        const line = words.slice(at + 1).join(' ');
        return at !== -1 && STARTED_BY.test(words.slice(0, at).join(' ')) && CHANGES.test(line) && !SHOWS.test(line);
      },
      sentence:
        'Bearings: this is where the person’s decisions and the settings of Bearings’ hooks are, so the person is asked first.',
    };
  };
}
