import { join } from '../../files/paths.ts';
import type { Settings } from '../../settings/app-context.ts';

/** Of a workspace, or of the home. */
export function sessionsFolder(settings: Settings, workspaceFolder: string | null): string {
  return join(workspaceFolder ?? settings.home, 'sessions');
}
