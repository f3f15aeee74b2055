import type { Attributes, Span as OpenSpan } from '@opentelemetry/api';
import { BearingsError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { VERSION } from '../../version.ts';

/** What may be said of an operation beside its name: names, sizes and hashes. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  /** False: nobody listens, so nothing needs to be worked out. */
  isOn: boolean;
  set(facts: Facts): void;
  name(name: string): void;
  event(name: string, facts: Facts): void;
  fail(type: string): void;
}

export interface SpanStart {
  name: string;
  /** `internal` where nothing is said. */
  kind?: 'internal' | 'server' | 'client';
  /** Asked for only where somebody listens. */
  facts?: () => Facts;
  /** What came with a request: its trace goes on here. */
  from?: unknown;
}

// Whoever sets OpenTelemetry up in this process leaves this behind; without it nothing is loaded, and nothing is traced.
const SET_UP = Symbol.for('opentelemetry.js.api.1');
const SILENT: Span = { isOn: false, set() {}, name() {}, event() {}, fail() {} };
const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

/** Does the work inside a span, where somebody listens. */
export async function traced<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const api = await openTelemetry();
  if (api === null) return work(SILENT);
  const { name, kind = 'internal', facts, from } = start;
  const active = api.context.active();
  const parent = from === undefined ? active : api.propagation.extract(active, from);
  const options = { kind: KINDS[kind], attributes: known(facts?.() ?? {}) };
  return api.trace.getTracer('bearings', VERSION).startActiveSpan(name, options, parent, async (open) => {
    const span = spanOf(open);
    try {
      return await work(span);
    } catch (error) {
      span.fail(error instanceof BearingsError ? error.code : 'internal_error');
      throw error;
    } finally {
      open.end();
    }
  });
}

/** What has to go with a request so that its trace goes on at the other end; empty where nobody listens. */
export async function traceMeta(): Promise<Record<string, string>> {
  const api = await openTelemetry();
  const meta: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), meta);
  return meta;
}

export function memoryFacts(operation: string, store: string | undefined): Facts {
  return { 'gen_ai.operation.name': operation, 'gen_ai.memory.store.id': store };
}

/** How long a text is, and its hash. */
export function textFacts(name: string, text: string): Facts {
  return { [`${name}.chars`]: text.length, [`${name}.sha256`]: sha256(text) };
}

async function openTelemetry() {
  // The package is optional.
  return SET_UP in globalThis ? import('@opentelemetry/api').catch(() => null) : null;
}

function spanOf(open: OpenSpan): Span {
  return {
    isOn: open.isRecording(),
    set: (facts) => void open.setAttributes(known(facts)),
    name: (name) => void open.updateName(name),
    event: (name, facts) => void open.addEvent(name, known(facts)),
    fail(type) {
      open.setAttribute('error.type', type);
      open.setStatus({ code: ERROR });
    },
  };
}

function known(facts: Facts): Attributes {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Attributes;
}
