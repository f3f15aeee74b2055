import { sha256 } from '../../files/sha256.ts';
import type { Facts, Span, SpanStart } from './open-spans.ts';

// Whoever sets OpenTelemetry up in this process leaves this behind; without it nothing is loaded, and nothing is traced.
const SET_UP = Symbol.for('opentelemetry.js.api.1');
const SILENT: Span = { isOn: false, set() {}, name() {}, event() {}, fail() {} };

/** Does the work inside a span, where somebody listens. */
export async function traced<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const spans = await loadedSpans();
  return spans === null ? work(SILENT) : spans.inSpan(start, work);
}

/** What has to go with a request so that its trace goes on at the other end; empty where nobody listens. */
export async function traceMeta(): Promise<Record<string, string>> {
  return (await loadedSpans())?.currentMeta() ?? {};
}

export function memoryFacts(operation: string, store: string | undefined): Facts {
  return { 'gen_ai.operation.name': operation, 'gen_ai.memory.store.id': store };
}

/** How long a text is, and its hash. */
export function textFacts(name: string, text: string): Facts {
  return { [`${name}.chars`]: text.length, [`${name}.sha256`]: sha256(text) };
}

async function loadedSpans() {
  // The package is optional.
  return SET_UP in globalThis ? import('./open-spans.ts').catch(() => null) : null;
}
