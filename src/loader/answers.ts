import type { TreeProblem } from '../settings/tree-reader.ts';
import type { TrustQuestion } from './adapter-trust.ts';
import type { LoadOptions } from './bundle/arguments.ts';
import type { Bundle } from './bundle/bundle.ts';
import type { BundleDiff } from './bundle/diff.ts';
import type { Policy } from './policy/policy.ts';

export interface LoadRequest extends LoadOptions {
  /** The project. Default: the working directory. */
  dir?: string | undefined;
  /** Keep a receipt of the bundle in the workspace: `new_session`, `window_rollover`, `pre_mutation`, `pre_closeout`. */
  receipt?: string | undefined;
  /** Told while files are read for the first time. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export type Rendering = 'json' | 'markdown' | 'xml';

export interface DriftRequest {
  /** The project. Default: the working directory. */
  dir?: string | undefined;
  /** Only this slice has to be the same: `control_plane` for what must be stable. */
  slice?: string | undefined;
}

export interface DriftAnswer {
  drifted: boolean;
  /** The bundle as it would be now. */
  now: Bundle;
  diff: BundleDiff;
}

export interface PolicyAnswer {
  name: string;
  /** `built-in`, or the file. */
  source: string;
  policy: Policy;
  yaml: string;
}

export interface PolicyCheck {
  file: string;
  problems: TreeProblem[];
}

/** What would run, as the person is shown it. */
export interface TrustAnswer extends TrustQuestion {
  /** The project with the person's own folder as `~`. */
  shownProject: string;
  allowed: boolean;
}
