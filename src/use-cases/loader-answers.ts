import type { LoadOptions } from '../loader/arguments.ts';
import type { Bundle } from '../loader/bundle.ts';
import type { BundleDiff } from '../loader/diff.ts';
import type { Policy } from '../loader/policy.ts';
import type { TreeProblem } from '../loader/policy-tree.ts';

export interface LoadRequest extends LoadOptions {
  /** The project. Default: the working directory. */
  dir?: string | undefined;
}

export type Rendering = 'json' | 'markdown' | 'xml';

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
