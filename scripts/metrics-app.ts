import { metrics } from "@opentelemetry/api";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { Hono } from "hono";

// The application that `langgraph.json` mounts beside the API. Prometheus reads the metrics of all graphs at /metrics.

const reader = new PrometheusExporter({ preventServerStart: true });
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
const serializer = new PrometheusSerializer();

/** The application with `/metrics`. */
export const app = new Hono();

app.get("/metrics", async ({ text }) => {
  const { resourceMetrics } = await reader.collect();
  return text(serializer.serialize(resourceMetrics));
});
