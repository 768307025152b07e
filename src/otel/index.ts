/** Spans and metrics for OpenTelemetry. Needs the peer dependency `@opentelemetry/api`. */
export { type OtelOptions, otelObserver } from "./observer.js";
