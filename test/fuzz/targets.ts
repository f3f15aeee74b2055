import type { FuzzTarget } from './target.ts';
import { CLIENT_TARGETS } from './targets/clients.ts';
import { HTTP_TARGETS } from './targets/http.ts';
import { LOADER_TARGETS } from './targets/loader.ts';
import { MATCHING_TARGETS } from './targets/matching.ts';
import { MEMORY_TARGETS } from './targets/memory.ts';
import { PROPOSAL_TARGETS } from './targets/proposals.ts';
import { SAFETY_TARGETS } from './targets/safety.ts';
import { STORED_TARGETS } from './targets/stored.ts';
import { TASK_TARGETS } from './targets/tasks.ts';

// A new reader of foreign text gets a target in the file of its folder, or a
// file of its own here: `run` gets bytes, calls the reader as its face does, and throws when a promise is broken.
export const TARGETS: readonly FuzzTarget[] = [
  ...MEMORY_TARGETS,
  ...PROPOSAL_TARGETS,
  ...LOADER_TARGETS,
  ...TASK_TARGETS,
  ...SAFETY_TARGETS,
  ...MATCHING_TARGETS,
  ...CLIENT_TARGETS,
  ...STORED_TARGETS,
  ...HTTP_TARGETS,
];
