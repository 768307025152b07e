import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { expect, it } from "vitest";
import { z } from "zod";

import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { collect } from "./client.js";

const add = tool(({ a, b }) => `${a + b}`, {
  name: "add",
  description: "Adds two numbers.",
  schema: z.object({ a: z.number(), b: z.number() }),
});

it.each([
  {
    method: undefined,
    reply: { toolCalls: [{ name: "extract", args: { city: "Rome" } }] },
    asked: { tool_choice: { function: { name: "extract" } } },
  },
  {
    method: "jsonSchema",
    reply: '{"city": "Rome"}',
    asked: { response_format: { type: "json_schema" } },
  },
  {
    method: "jsonMode",
    reply: '```json\n{"city": "Rome"}\n```',
    asked: { response_format: { type: "json_object" } },
  },
])("structured output by $method is asked for, read and validated", async (row) => {
  const { method, reply, asked } = row;
  const wrong: ModelReply = JSON.parse(JSON.stringify(reply).replace("city", "town"));
  const model = scriptedModel([reply, wrong, reply]);
  const schema = z.object({ city: z.string() });
  const config = method === undefined ? {} : { method };
  const structured = model.withStructuredOutput(schema, config);
  expect(await structured.invoke("q")).toEqual({ city: "Rome" });
  expect(model.calls[0]?.options).toMatchObject(asked);
  await expect(structured.invoke("q")).rejects.toThrow("Failed to parse");
  const raw = model.withStructuredOutput(schema, {
    ...config,
    includeRaw: true,
  });
  expect((await raw.invoke("q")).parsed).toEqual({ city: "Rome" });
});

it("shares one queue and one record with every view of the model", async () => {
  const model = scriptedModel([
    "bound",
    "configured",
    { toolCalls: [{ name: "extract", args: { city: "Rome" } }] },
    "plain",
  ]);
  const bound = model.bindTools([add], { tool_choice: "add" });
  const schema = z.object({ city: z.string() });
  expect((await bound.invoke("1")).text).toBe("bound");
  const configured = model.withConfig({
    response_format: { type: "json_object" },
    stop: ["x"],
  });
  expect((await configured.invoke("2")).text).toBe("configured");
  expect(await model.withStructuredOutput(schema).invoke("3")).toEqual({
    city: "Rome",
  });
  expect((await model.invoke("4")).text).toBe("plain");
  expect(
    model.calls.map(({ messages, tools }) => [
      messages[0]?.text,
      tools.map((each) => each.function.name),
    ]),
  ).toEqual([
    ["1", ["add"]],
    ["2", []],
    ["3", ["extract"]],
    ["4", []],
  ]);
  expect(model.calls[0]?.options.tool_choice).toBe("add");
  expect(model.calls[1]?.options).toMatchObject({
    response_format: { type: "json_object" },
    stop: ["x"],
  });
  model.assertExhausted();
});

it.each([
  { name: "a delayed reply", reply: { text: "late", delayMs: 60_000 } },
  {
    name: "a function that never answers",
    reply: () => new Promise<string>(() => {}),
  },
])("an abort ends $name at once", async ({ reply }) => {
  const model = scriptedModel([reply, reply]);
  for (const ask of [
    (signal: AbortSignal) => model.invoke("q", { signal }),
    (signal: AbortSignal) => model.stream("q", { signal }).then(collect),
  ]) {
    const reason = new Error("enough");
    const stop = new AbortController();
    const asked = ask(stop.signal);
    setTimeout(() => stop.abort(reason), 5);
    await expect(asked).rejects.toBe(reason);
  }
  model.assertExhausted();
});

it("an aborted call takes nothing from the script", async () => {
  const model = scriptedModel(["kept"]);
  await expect(model.invoke("q", { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  expect((await model.invoke("q")).text).toBe("kept");
});

it("an abort between two chunks ends the stream", async () => {
  const stop = new AbortController();
  const stream = await scriptedModel(["a long enough text"]).stream("q", {
    signal: stop.signal,
  });
  await expect(async () => {
    for await (const chunk of stream) stop.abort(chunk.text);
  }).rejects.toBe("a lo");
});

it("waits before each reply when the model is slow", async () => {
  const model = scriptedModel(["x"], { delayMs: 20 });
  const start = performance.now();
  await model.invoke("q");
  expect(performance.now() - start).toBeGreaterThan(15);
});

it("drives an agent, whose messages stream in pieces", async () => {
  const model = scriptedModel([
    { toolCalls: [{ name: "add", args: { a: 2, b: 3 } }] },
    (messages) => `The sum is ${messages.at(-1)?.text}.`,
  ]);
  const agent = createAgent({ model, tools: [add] });
  const messages = [{ role: "user", content: "2 + 3?" }];
  const texts: string[] = [];
  for await (const [chunk] of await agent.stream({ messages }, { streamMode: "messages" })) {
    texts.push(chunk.text);
  }
  expect(texts.length).toBeGreaterThan(4);
  expect(texts.join("")).toBe("5The sum is 5.");
  expect(model.calls.map(({ streamed }) => streamed)).toEqual([true, true]);
  expect(model.calls[0]?.options).not.toHaveProperty("tools");
  model.assertExhausted();
});
