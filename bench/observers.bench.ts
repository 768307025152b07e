// What observers cost the ReAct graph, beside the same graph without one: `npm run bench:observers`. The ratios are
// medians over the rounds, in each of which every graph runs once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

import type { Observer } from "../src/index.js";
import type * as Otel from "../src/otel/index.js";
import type * as Tracing from "../src/tracing/index.js";
import { type Contender, reactWith, server } from "./contenders.js";
import { median } from "./median.js";
import { timesOf } from "./rounds.js";

const { otelObserver }: typeof Otel = await import(
  new URL("../dist/otel/index.js", import.meta.url).href
);
const { traceStore }: typeof Tracing = await import(
  new URL("../dist/tracing/index.js", import.meta.url).href
);

const folder = mkdtempSync(join(tmpdir(), "plangraph-bench-"));
const store = await traceStore({ file: join(folder, "traces.db") });
const spans = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(spans)],
}).getTracer("bench");

const watched = (name: string, ...observers: Observer[]): Contender => {
  const graph = reactWith(observers);
  return [
    name,
    async (input) => {
      await graph.invoke(input);
      spans.reset();
    },
  ];
};
const contenders = [
  watched("none"),
  watched("one that does nothing", { onEvent: () => undefined }),
  watched("OpenTelemetry, without content", otelObserver({ tracer })),
  watched("trace store", store),
];

console.log("| steps | observers | ms a run | to none |");
console.log("| --- | --- | --- | --- |");
for (const steps of [1, 10, 50]) {
  const times = await timesOf(contenders, steps);
  for (const [name] of contenders) {
    const own = times[name] ?? [];
    const ratio = median(own.map((ms, at) => ms / (times["none"]?.[at] ?? Number.NaN)));
    console.log(`| ${[steps, name, median(own).toFixed(1), ratio.toFixed(2)].join(" | ")} |`);
  }
}
store.close();
rmSync(folder, { recursive: true });
await server.close();
