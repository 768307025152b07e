import { context, type Context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

import { type OtelOptions, otelObserver } from "../../src/otel/index.js";

/** Lets the active context follow asynchronous work, as an application's SDK does. */
export function followContext(): () => void {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  return () => {
    context.disable();
  };
}

/** An observer whose spans and metrics stay in memory. */
export function telemetry(options: OtelOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 1_000_000,
  });
  const meters = new MeterProvider({ readers: [reader] });
  const tracer = tracers.getTracer("test");
  const observer = otelObserver({ tracer, meter: meters.getMeter("test"), ...options });
  return {
    observer,
    tracer,
    spans: () => exporter.getFinishedSpans(),
    /** The values of each metric, by name. */
    metrics: async () => {
      await meters.forceFlush();
      const scopes = metricExporter.getMetrics().at(-1)?.scopeMetrics ?? [];
      return new Map(
        scopes
          .flatMap(({ metrics }) => metrics)
          .map(({ descriptor, dataPoints }) => [
            descriptor.name,
            dataPoints.map(({ attributes, value }) => ({ attributes, value })),
          ]),
      );
    },
  };
}

/** Finished spans as lines, each under the one it lies in, in the order in which they began. */
export function spanLines(spans: readonly ReadableSpan[], within?: string, depth = 0): string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const isHere = (parent: string | undefined) =>
    within === undefined ? parent === undefined || !ids.has(parent) : parent === within;
  return spans
    .filter(({ parentSpanContext }) => isHere(parentSpanContext?.spanId))
    .toSorted((left, right) => startOf(left) - startOf(right))
    .flatMap((span) => [
      `${"  ".repeat(depth)}${span.name}`,
      ...spanLines(spans, span.spanContext().spanId, depth + 1),
    ]);
}

function startOf({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

/** The header by which a request over HTTP names its span. */
export function traceparentOf(active: Context): string | undefined {
  const span = trace.getSpanContext(active);
  return span === undefined ? undefined : `00-${span.traceId}-${span.spanId}-01`;
}
