import { createServer } from "node:http";

import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { context, SpanStatusCode } from "@opentelemetry/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createReactGraph,
  createRewooGraph,
  type Observer,
  ToolError,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { planText, stepOf } from "../support/plans.js";
import { followContext, spanLines, telemetry, traceparentOf } from "../support/telemetry.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const item = z.object({ item: z.string() });

let stopFollowing = () => {};
beforeAll(() => {
  stopFollowing = followContext();
});
afterAll(() => {
  stopFollowing();
});

it("a request of a tool over HTTP carries the span of its call", async () => {
  const { observer, spans } = telemetry();
  const headers: string[] = [];
  const server = createServer((request, response) => {
    headers.push(String(request.headers["traceparent"]));
    response.end("3");
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const price = tool(
    async () => {
      await Promise.resolve();
      const traceparent = traceparentOf(context.active()) ?? "none";
      return (await fetch(`http://127.0.0.1:${port}`, { headers: { traceparent } })).text();
    },
    { name: "price", description: "Prices.", schema: item },
  );
  const steps = Array.from({ length: 20 }, (_, at) => stepOf("price", `tea ${at}`));
  const models = scriptedModel([planText(...steps), "Done."]);
  const limits = { planSteps: 50 };
  const options = { models, tools: [price], observers: [observer], limits, concurrency: 20 };
  await createRewooGraph(options).invoke(question);
  server.close();
  const calls = spans()
    .filter(({ name }) => name === "execute_tool price")
    .map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
  expect(new Set(headers)).toEqual(new Set(calls));
  expect(headers).toHaveLength(20);
});

describe("a run that does not go well", () => {
  it("ends its span where it waits, and the span that resumes it links there", async () => {
    const { observer, spans } = telemetry();
    const { tools } = countingTools("price");
    const [price] = tools.map((each) => withPolicy(each, { needsApproval: true }));
    const models = scriptedModel([call("tea"), "Done."]);
    const checkpointer = new MemorySaver();
    const options = { models, tools: price === undefined ? [] : [price], checkpointer };
    const graph = createReactGraph({ ...options, observers: [observer] });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    const [waiting] = spans().filter(({ name }) => name === "invoke_agent react");
    expect(waiting).toMatchObject({
      attributes: { "plangraph.outcome": "needs_input" },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(waiting?.events.map(({ name }) => name)).toEqual(["plangraph.input_needed"]);
    await graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
    const resumed = spans().filter(({ name }) => name === "invoke_agent react")[1];
    expect(resumed?.links.map((link) => link.context.spanId)).toEqual([
      waiting?.spanContext().spanId,
    ]);
    expect(resumed?.attributes).toMatchObject({
      "plangraph.outcome": "answered",
      "plangraph.resumed": true,
    });
  });

  it("has the kind of a tool's error, its attempts, and its retries as events", async () => {
    const { observer, spans } = telemetry();
    const price = withPolicy(
      tool(
        () => {
          throw new ToolError("unavailable", "Ask +49 170 1234567.");
        },
        { name: "price", description: "Prices.", schema: item },
      ),
      { effect: "read", retry: { attempts: 3, baseMs: 1 } },
    );
    const plan = planText(stepOf("price", "tea"), stepOf("price", "{{E1}}"));
    const models = scriptedModel([plan, "I do not know."]);
    await createRewooGraph({ models, tools: [price], observers: [observer] }).invoke(question);
    const [first, second] = spans().filter(({ name }) => name === "execute_tool price");
    expect(first).toMatchObject({
      attributes: { "error.type": "unavailable", "plangraph.tool.attempts": 3 },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(first?.events.map(({ name }) => name)).toEqual(["plangraph.retry", "plangraph.retry"]);
    expect(second?.attributes).toMatchObject({
      "error.type": "skipped",
      "plangraph.step.waited_for": "E1",
    });
    expect(JSON.stringify(spans().map(({ events, status }) => [events, status]))).not.toContain(
      "1234567",
    );
  });

  it("leaves no span open where the caller cancels it", async () => {
    const { observer, spans } = telemetry();
    const abort = new AbortController();
    const models = scriptedModel(() => {
      abort.abort();
      return new Promise(() => {});
    });
    const graph = createReactGraph({ models, observers: [observer] });
    await expect(graph.invoke(question, { signal: abort.signal })).rejects.toThrow(/abort/i);
    expect(spanLines(spans())).toEqual(["invoke_agent react", "  chat scripted-model"]);
    expect(spans().map(({ attributes }) => attributes["error.type"])).toContain("cancelled");
  });
});

it("runs side by side have traces of their own", async () => {
  const { observer, spans } = telemetry();
  const { tools } = countingTools("price");
  const models = scriptedModel((messages) =>
    messages.at(-1)?.type === "tool" ? "Done." : call("tea"),
  );
  const graph = createReactGraph({ models, tools, observers: [observer] });
  await Promise.all(Array.from({ length: 50 }, () => graph.invoke(question)));
  const traces = new Set(spans().map((span) => span.spanContext().traceId));
  expect(traces.size).toBe(50);
  for (const trace of traces) {
    const own = spans().filter((span) => span.spanContext().traceId === trace);
    expect(spanLines(own)).toEqual([
      "invoke_agent react",
      "  chat scripted-model",
      "  execute_tool price",
      "  chat scripted-model",
    ]);
  }
});

describe("metrics", () => {
  it("count and time runs, models and tools, with names and causes as labels", async () => {
    const { observer, metrics } = telemetry();
    const { tools } = countingTools("price");
    const models = scriptedModel([call("tea"), "", "3 euros."]);
    const graph = createReactGraph({ models, tools, observers: [observer] });
    await graph.invoke(question);
    const seen = await metrics();
    expect(seen.get("plangraph.runs")).toEqual([
      {
        attributes: { "gen_ai.agent.name": "react", "plangraph.outcome": "answered" },
        value: 1,
      },
    ]);
    expect(seen.get("plangraph.corrections")).toMatchObject([{ value: 1 }]);
    expect(seen.get("gen_ai.client.operation.duration")).toMatchObject([
      {
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "scripted",
          "gen_ai.request.model": "scripted-model",
          "plangraph.role": "executor",
        },
        value: { count: 3 },
      },
    ]);
    expect(seen.get("gen_ai.execute_tool.duration")).toMatchObject([{ value: { count: 1 } }]);
    expect(
      seen.get("gen_ai.client.token.usage")?.map(({ attributes }) => attributes),
    ).toMatchObject([{ "gen_ai.token.type": "input" }, { "gen_ai.token.type": "output" }]);
    const labels = [...seen.values()].flat().map(({ attributes }) => Object.keys(attributes));
    expect(labels.flat()).not.toContain("plangraph.run.id");
  });
});

it("a tool's name that a model made up is no label", async () => {
  const { observer, metrics } = telemetry();
  const { tools } = countingTools("price");
  const made = { toolCalls: [{ name: "call_+49_170_1234567", args: {} }] };
  const models = scriptedModel([made, call("tea"), "3 euros."]);
  await createReactGraph({ models, tools, observers: [observer] }).invoke(question);
  expect(JSON.stringify([...(await metrics())])).not.toContain("1234567");
});

it("without an SDK it does nothing, and the run is the same", async () => {
  const { otelObserver } = await import("../../src/otel/index.js");
  const observers: readonly Observer[] = [otelObserver()];
  const { tools } = countingTools("price");
  const models = scriptedModel([call("tea"), "3 euros."]);
  const { answer } = await createReactGraph({ models, tools, observers }).invoke(question);
  expect(answer).toBe("3 euros.");
});
