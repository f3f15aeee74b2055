import type { Position } from './problem.ts';

export interface SourceAttribute extends Position {
  name: string;
  value: string;
}

/** One element of a template, whatever it was written in. */
export interface SourceNode extends Position {
  name: string;
  attributes: SourceAttribute[];
  children: SourceNode[];
  text: string;
  /** A comment may be where a definition is still to be written. */
  hasComment: boolean;
  /** False when reading ended inside it: then nothing can be called missing. */
  complete: boolean;
}

// Sizes that no honest template reaches.
export const TEMPLATE_LIMITS = { chars: 1_048_576, depth: 64, elements: 20_000, attributes: 32 } as const;
