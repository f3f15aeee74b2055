// node --import: records the spans of a process in the file that BEARINGS_TRACE_FILE names, one JSON object a line.
import { appendFileSync } from 'node:fs';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

const milliseconds = ([seconds, nanoseconds]) => seconds * 1000 + nanoseconds / 1e6;

const exporter = {
  export(spans, done) {
    for (const { name, attributes, startTime, endTime, events, parentSpanContext, spanContext } of spans.map(plain)) {
      const { traceId, spanId } = spanContext;
      const span = {
        ...{ name, attributes, trace: traceId, id: spanId, parent: parentSpanContext?.spanId ?? null },
        start: milliseconds(startTime),
        end: milliseconds(endTime),
        events: events.map((event) => ({ ...event, time: milliseconds(event.time) })),
      };
      appendFileSync(process.env.BEARINGS_TRACE_FILE, `${JSON.stringify(span)}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};

function plain(span) {
  const { name, attributes, startTime, endTime, events, parentSpanContext } = span;
  return { name, attributes, startTime, endTime, events, parentSpanContext, spanContext: span.spanContext() };
}

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
