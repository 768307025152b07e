import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { allSpans, createPlanExecuteGraph, createRewooGraph, spanTree } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { ask, question } from "../support/middleware.js";
import { planText } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { traceFolder, tracedAgent } from "../support/trace-folder.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const on = (thread_id: string) => ({ configurable: { thread_id } });
const { open, read, bytes } = traceFolder();

describe("a run", () => {
  it("is kept with what its models were sent, however it is called", async () => {
    const store = await open();
    const graph = tracedAgent(store);
    await graph.invoke(question);
    for await (const _ of await graph.stream(question, { streamMode: "values" }));
    for await (const _ of graph.streamEvents(question, { version: "v2" }));
    store.close();
    await read((file) => {
      const runs = file.runs();
      expect(runs).toHaveLength(3);
      const trees = runs.map(({ id }) => {
        const events = file.events(id);
        const inputs = events.filter(({ input }) => input !== undefined);
        expect(inputs.map(({ event }) => event.type)).toEqual(["model_started", "model_started"]);
        expect(JSON.stringify(inputs[1]?.input)).toContain("price of tea");
        const spans = allSpans(spanTree(events.map(({ event }) => event)));
        return spans.map(({ kind, name, status }) => `${kind} ${name} ${status}`);
      });
      expect(new Set(trees.map(String)).size).toBe(1);
      expect(runs[0]).toMatchObject({
        graph: "react",
        status: "answered",
        question: "What does tea cost?",
        usage: { modelCalls: 2, toolCalls: 1 },
      });
    });
  });

  it("is one with the runs inside it", async () => {
    const store = await open();
    const { tools } = countingTools("price");
    const plan = taskPlanText({ task: "Price tea." });
    const models = scriptedModel([plan, call("tea"), "3 euros.", respondWith("3 euros.")]);
    await createPlanExecuteGraph({ models, tools, observers: [store] }).invoke(question);
    store.close();
    await read((file) => {
      const [run, ...others] = file.runs();
      expect(others).toEqual([]);
      const runs = file.events(run?.id ?? "").map(({ event }) => event.runId);
      expect(new Set(runs).size).toBe(2);
    });
  });

  it("that waits and is resumed by another process is one run", async () => {
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: "t-1" } };
    const first = await open();
    const options = { checkpointer, toolPolicies: { price: { needsApproval: true } } };
    await tracedAgent(first, options).invoke(question, thread);
    first.close();
    await read((file) => {
      expect(file.runs()[0]).toMatchObject({ status: "paused", threadId: "t-1" });
    });
    const second = await open();
    const decisions = [{ type: "approve" as const }];
    await tracedAgent(second, options).invoke(new Command({ resume: { decisions } }), thread);
    second.close();
    await read((file) => {
      expect(file.runs()).toMatchObject([{ status: "answered", question: "What does tea cost?" }]);
    });
  });

  it("that waits is over when another question takes its place on the thread, and only there", async () => {
    const checkpointer = new MemorySaver();
    const options = { checkpointer, toolPolicies: { price: { needsApproval: true } } };
    const store = await open();
    const graph = tracedAgent(store, options);
    await graph.invoke(question, on("t-1"));
    await graph.invoke(question, on("t-2"));
    await graph.invoke(ask("And coffee?"), on("t-1"));
    store.close();
    await read((file) => {
      const standing = file.runs().map((run) => `${run.threadId} ${run.status}`);
      expect(standing).toEqual(["t-1 paused", "t-2 paused", "t-1 cancelled"]);
    });
  });

  it("is in the file as soon as it has ended", async () => {
    const store = await open();
    await tracedAgent(store).invoke(question);
    await read((file) => {
      expect(file.runs()).toMatchObject([{ status: "answered" }]);
    });
    store.close();
  });
});

it("a hundred runs side by side do not mix", async () => {
  const store = await open();
  const graph = tracedAgent(store);
  await Promise.all(Array.from({ length: 100 }, (_, at) => graph.invoke(ask(`Question ${at}?`))));
  store.close();
  await read((file) => {
    const runs = file.runs({ limit: 200 });
    expect(new Set(runs.map((run) => run.question)).size).toBe(100);
    for (const { id, question: asked } of runs) {
      const events = file.events(id);
      expect(events).toHaveLength(8);
      const inputs = events.flatMap(({ input }) => (input === undefined ? [] : [input]));
      for (const { messages } of inputs) {
        expect(messages.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual([
          asked,
        ]);
      }
    }
  });
}, 60_000);

it("steps that ask a model side by side each keep their own request", async () => {
  const store = await open();
  const steps = Array.from({ length: 20 }, (_, at) => ({
    thought: `Number ${at}.`,
    tool: "llm",
    args: { prompt: `Say ${at}.` },
  }));
  const models = scriptedModel((messages) => {
    const said = /Say (\d+)\./.exec(messages.at(-1)?.text ?? "")?.[1];
    return messages.some(({ text }) => text.includes("The results"))
      ? "Done."
      : (said ?? planText(...steps));
  });
  const graph = createRewooGraph({
    models,
    tools: [],
    observers: [store],
    limits: { planSteps: 50 },
    concurrency: 20,
  });
  await graph.invoke(ask("Count."));
  store.close();
  await read((file) => {
    const events = file.events(file.runs()[0]?.id ?? "").map(({ event }) => event);
    const inside = allSpans(spanTree(events)).filter(({ name }) => name === "llm");
    expect(inside).toHaveLength(20);
    for (const { start, children } of inside) {
      const args = start.type === "tool_started" ? JSON.stringify(start.content?.args) : "";
      const [model] = children;
      const said = model?.end?.type === "model_finished" ? model.end.content?.text : undefined;
      expect(args).toContain(`Say ${said}.`);
    }
  });
});

const redact = (text: string) => text.replaceAll(/\+[\d ]{8,}/g, "[phone]");

describe("what must not be kept", () => {
  const phone = "+49 170 1234567";
  const key = `sk-live-${"a1".repeat(12)}`;
  const asked = ask(`Call ${phone} with ${key}.`);

  it("is in no byte: keys, and what redact masks", async () => {
    const store = await open({ redact });
    await tracedAgent(store).invoke(asked);
    await tracedAgent(store, {
      models: scriptedModel([new Error(`No line to ${phone}, ${key}`)]),
    }).invoke(asked);
    store.close();
    expect(bytes()).toContain("[phone]");
    for (const word of ["1234567", "a1a1a1"]) expect(bytes()).not.toContain(word);
  });

  it("is in no byte where redact throws", async () => {
    const store = await open({
      redact: () => {
        throw new Error("redact failed");
      },
    });
    await tracedAgent(store).invoke(asked);
    store.close();
    for (const word of ["1234567", "tea"]) expect(bytes()).not.toContain(word);
  });

  it("is no content at all at the level of metadata", async () => {
    const store = await open({ content: "metadata" });
    await tracedAgent(store).invoke(asked);
    await tracedAgent(store, { models: scriptedModel([new Error(`No line to ${phone}`)]) }).invoke(
      asked,
    );
    store.close();
    for (const word of ["1234567", "tea", "euros"]) expect(bytes()).not.toContain(word);
    await read((file) => {
      expect(file.runs().map(({ status }) => status)).toEqual(["failed", "answered"]);
    });
  });

  it("is what was masked for the graph", async () => {
    const store = await open();
    await tracedAgent(store, { redact: () => "[masked]" }).invoke(asked);
    store.close();
    expect(bytes()).not.toContain("1234567");
  });
});
