import type { Frame } from './frame.ts';
import type { OutputFormat } from './output-format.ts';

export interface ModelRequest {
  /** Everything, ready to send. */
  readonly prompt: string;
  /** What is asked, without context. */
  readonly question: string;
  readonly frame: Frame;
  readonly outputFormat: OutputFormat;
  readonly maxOutputTokens: number;
  readonly turn: number;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  content: string;
  /** The model is not done: it is asked again with what it has said so far. */
  more?: boolean;
}

export interface Model {
  readonly name: string;
  call(request: ModelRequest): Promise<ModelAnswer> | ModelAnswer;
}
