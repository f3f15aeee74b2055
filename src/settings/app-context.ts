import type { openApp } from './io/open-app.ts';

/** What every room is opened with; nothing in it is read before it is asked for. */
export type AppContext = ReturnType<typeof openApp>;

/** What every use case starts from: the settings in force and the folders they lead to. */
export type Settings = Awaited<ReturnType<AppContext['settings']>>;

/** Which workspace a call means: its id, or more than that. */
export type TargetLike = Parameters<Settings['workspace']>[0];
