import { type Attributes, context, type Span as OpenSpan, propagation, trace } from '@opentelemetry/api';
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

const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

export async function inSpan<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const { name, kind = 'internal', facts } = start;
  const parent = start.from === undefined ? context.active() : propagation.extract(context.active(), start.from);
  const options = { kind: KINDS[kind], attributes: known(facts?.() ?? {}) };
  return trace.getTracer('bearings', VERSION).startActiveSpan(name, options, parent, async (open) => {
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

export function currentMeta(): Record<string, string> {
  const meta: Record<string, string> = {};
  propagation.inject(context.active(), meta);
  return meta;
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
