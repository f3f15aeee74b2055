import type { Attributes, Span } from '@opentelemetry/api';
import { BearingsError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { VERSION } from '../../version.ts';

interface SpanStart {
  name: string;
  kind?: keyof typeof KINDS;
  /** Names, sizes and hashes: asked for only where somebody listens. */
  facts?: () => Attributes;
  /** What came with a request: its trace goes on here. */
  from?: unknown;
}

// Whoever sets OpenTelemetry up in this process leaves this behind; without it nothing is loaded, and nothing is traced.
const SET_UP = Symbol.for('opentelemetry.js.api.1');
const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

/** Does the work inside a span; where nobody listens there is none, and nothing needs to be worked out for it. */
export async function traced<T>(
  { name, kind = 'internal', facts, from }: SpanStart,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const api = await openTelemetry();
  if (api === null) return work();
  const active = api.context.active();
  const parent = from === undefined ? active : api.propagation.extract(active, from);
  const options = { kind: KINDS[kind], attributes: facts?.() ?? {} };
  return api.trace.getTracer('bearings', VERSION).startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span.isRecording() ? span : undefined);
    } catch (error) {
      failSpan(span, error instanceof BearingsError ? error.code : 'internal_error');
      throw error;
    } finally {
      span.end();
    }
  });
}

export function failSpan(span: Span | undefined, type: string): void {
  span?.setAttribute('error.type', type).setStatus({ code: ERROR });
}

/** What has to go with a request so that its trace goes on at the other end; empty where nobody listens. */
export async function traceMeta(): Promise<Record<string, string>> {
  const api = await openTelemetry();
  const meta: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), meta);
  return meta;
}

export function memoryFacts(operation: string, store: string | undefined): Attributes {
  return { 'gen_ai.operation.name': operation, 'gen_ai.memory.store.id': store };
}

/** How long a text is, and its hash. */
export function textFacts(name: string, text: string): Attributes {
  return { [`${name}.chars`]: text.length, [`${name}.sha256`]: sha256(text) };
}

async function openTelemetry() {
  // The package is optional.
  return SET_UP in globalThis ? import('@opentelemetry/api').catch(() => null) : null;
}
