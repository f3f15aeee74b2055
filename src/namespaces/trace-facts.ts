import { sha256 } from '../files/sha256.ts';
import type { Bundle } from '../loader/bundle/bundle.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { traced } from '../settings/io/tracing.ts';
import type { Facts, Span } from '../settings/span.ts';

export { traced };

// The setting that all GenAI instrumentations share: without it no text of anybody leaves with a span.
const WITH_TEXTS = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

export function memoryFacts(operation: string, store: string | undefined): Facts {
  return { 'gen_ai.operation.name': operation, 'gen_ai.memory.store.id': store };
}

/** How long a text is, and its hash. */
export function textFacts(name: string, text: string): Facts {
  return { [`${name}.chars`]: text.length, [`${name}.sha256`]: sha256(text) };
}

export function idOf(target: TargetLike): string | undefined {
  return typeof target === 'string' ? target : target.id;
}

// A bundle in figures, and each of its files by name, size and hash.
export function tellBundle(span: Span, bundle: Bundle, variables: AppContext['variables']): void {
  const { policy, budget, files } = bundle;
  span.name(`retrieval ${policy.name}`);
  span.set({
    'gen_ai.data_source.id': policy.name,
    'bearings.task_key': bundle.task_key,
    'bearings.bundle.files': files.length,
    'bearings.bundle.chars': budget.used_chars,
    'bearings.bundle.sha256': bundle.bundle_sha256,
    ...(variables[WITH_TEXTS] === 'true' ? { 'gen_ai.retrieval.query.text': bundle.task } : {}),
  });
  for (const { path, source_class, chars, sha256: hash } of files)
    span.event('bearings.file', { path, slice: source_class, chars, sha256: hash });
}
