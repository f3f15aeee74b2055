import type { Attributes, Span as OpenSpan } from '@opentelemetry/api';
import { BearingsError } from '../../errors.ts';
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

type Api = typeof import('@opentelemetry/api');

// Whoever sets OpenTelemetry up in this process leaves this behind; without it nothing is loaded, and nothing is traced.
const SET_UP = Symbol.for('opentelemetry.js.api.1');
const SILENT: Span = { isOn: false, set() {}, name() {}, event() {}, fail() {} };
const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

/** Does the work inside a span, where somebody listens. */
export async function traced<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const api = await loadedApi();
  if (api === null) return work(SILENT);
  const { name, kind = 'internal', facts } = start;
  const parent =
    start.from === undefined ? api.context.active() : api.propagation.extract(api.context.active(), start.from);
  const options = { kind: KINDS[kind], attributes: known(facts?.() ?? {}) };
  return api.trace.getTracer('bearings', VERSION).startActiveSpan(name, options, parent, async (open) => {
    try {
      return await work(spanOf(open));
    } catch (error) {
      spanOf(open).fail(error instanceof BearingsError ? error.code : 'internal_error');
      throw error;
    } finally {
      open.end();
    }
  });
}

/** What has to go with a request so that its trace goes on at the other end; empty where nobody listens. */
export async function traceMeta(): Promise<Record<string, string>> {
  const api = await loadedApi();
  const meta: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), meta);
  return meta;
}

async function loadedApi(): Promise<Api | null> {
  if (!(SET_UP in globalThis)) return null;
  return import('@opentelemetry/api').catch(() => null);
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
