import { optionalPackage } from "../errors.js";
import { errorLine } from "../observe/redact.js";
import type { TracedEvent } from "../tracing/index.js";

/** How long a collector may take, in milliseconds. */
const timeoutMillis = 5_000;

const packages = [
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/exporter-trace-otlp-http",
];

/**
 * Sends a recorded run to a collector as spans, with its content and its own times. Returns how many. Throws
 * `missing_package`, and an error for a collector that cannot be reached.
 */
export async function sendSpans(events: readonly TracedEvent[], address: string): Promise<number> {
  const { otelObserver, sdk, OTLPTraceExporter } = await loadSdk();
  const memory = new sdk.InMemorySpanExporter();
  const processor = new sdk.SimpleSpanProcessor(memory);
  const tracer = new sdk.BasicTracerProvider({ spanProcessors: [processor] }).getTracer(
    "plangraph",
  );
  const observer = otelObserver({ tracer, content: true });
  for (const { event, input } of events) {
    observer.onEvent?.(event, input === undefined ? {} : { input: () => input });
  }
  const spans = memory.getFinishedSpans();
  const exporter = new OTLPTraceExporter({ url: tracesUrl(address), timeoutMillis });
  const failure = await new Promise<Error | undefined>((done) => {
    exporter.export(spans, ({ code, error }) => {
      // oxlint-disable-next-line typescript/no-unsafe-enum-comparison -- the enum is in a package of its own
      done(code === 0 ? undefined : (error ?? new Error("the collector refused them")));
    });
  });
  if (failure !== undefined) {
    const message = `--otlp ${address}: the spans could not be sent: ${errorLine(failure)}`;
    throw new Error(message, { cause: failure });
  }
  return spans.length;
}

async function loadSdk() {
  const message = `trace export --otlp needs the packages ${packages.join(", ")}: npm install ${packages.join(" ")}.`;
  return optionalPackage(async () => {
    const [{ otelObserver }, sdk, { OTLPTraceExporter }] = await Promise.all([
      import("../otel/index.js"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
    return { otelObserver, sdk, OTLPTraceExporter };
  }, message);
}

/** The address that takes spans: the given one, or the usual path of a collector. */
function tracesUrl(address: string): string {
  const url = new URL(address);
  return url.pathname === "/" ? new URL("/v1/traces", url).href : address;
}
