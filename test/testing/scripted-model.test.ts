import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { fault, scriptedModel, ScriptError } from "../../src/testing/index.js";
import { collect } from "./client.js";

const add = tool(({ a, b }) => `${a + b}`, {
  name: "add",
  description: "Adds two numbers.",
  schema: z.object({ a: z.number(), b: z.number() }),
});

const full = {
  text: "the answer is five",
  toolCalls: [{ name: "add", args: { a: 2, b: 3 } }],
  reasoning: "let me think",
  usage: { input: 7, output: 5, cached: 3, reasoning: 2 },
  finishReason: "tool_calls",
  id: "message-1",
};

it.each([
  {
    name: "invoked",
    ask: (model: ReturnType<typeof scriptedModel>) => model.invoke("q"),
  },
  {
    name: "streamed",
    ask: async (model: ReturnType<typeof scriptedModel>) =>
      (await collect(await model.stream("q"))).whole,
  },
])("a whole reply arrives with every part when $name", async ({ ask }) => {
  const model = scriptedModel([full], { model: "tiny" });
  expect(await ask(model)).toMatchObject({
    id: "message-1",
    content: "the answer is five",
    tool_calls: [{ id: "call_1", name: "add", args: { a: 2, b: 3 } }],
    invalid_tool_calls: [],
    additional_kwargs: { reasoning_content: "let me think" },
    response_metadata: { finish_reason: "tool_calls", model_name: "tiny" },
    usage_metadata: {
      input_tokens: 7,
      output_tokens: 5,
      total_tokens: 12,
      input_token_details: { cache_read: 3 },
      output_token_details: { reasoning: 2 },
    },
  });
  model.assertExhausted();
});

it("streams text and arguments in several chunks", async () => {
  const model = scriptedModel([full]);
  const { chunks } = await collect(await model.stream("q"));
  const texts = chunks.map(({ text }) => text).filter((text) => text !== "");
  const parts = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.join("")).toBe("the answer is five");
  expect(parts.length).toBeGreaterThan(3);
  expect(parts[0]).toMatchObject({ name: "add", id: "call_1", args: "" });
});

it("streams a list of texts as given, and joins it for invoke", async () => {
  const model = scriptedModel([{ text: ["a\n\n", "\nb"] }, { text: ["a", "b"] }]);
  const { chunks } = await collect(await model.stream("q"));
  expect(chunks.map(({ text }) => text).filter(Boolean)).toEqual(["a\n\n", "\nb"]);
  expect((await model.invoke("q")).text).toBe("ab");
});

it.each([
  {
    name: "estimates usage by default",
    reply: "12345678",
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  },
  {
    name: "reports no usage when told so",
    reply: { text: "x", usage: null },
    usage: undefined,
  },
])("$name", async ({ reply, usage }) => {
  const message = await scriptedModel([reply]).invoke("q");
  expect(message).toHaveProperty("usage_metadata", usage);
});

it("asks a function for the reply and tells it the messages, tools and options", async () => {
  const model = scriptedModel([
    async (messages, { tools, tool_choice }) => {
      expect(tool_choice).toBe("any");
      return `${messages[0]?.text} ${tools[0]?.function.name}`;
    },
  ]);
  const bound = model.bindTools([add], { tool_choice: "any" });
  expect((await bound.invoke("q")).text).toBe("q add");
});

it("answers for ever from one function", async () => {
  const model = scriptedModel((messages) => `echo ${messages[0]?.text}`);
  for (const question of ["1", "2", "3"]) {
    expect((await model.invoke(question)).text).toBe(`echo ${question}`);
  }
  model.assertExhausted();
});

it("throws a scripted error, also one a function returns, and counts it as played", async () => {
  const model = scriptedModel([new Error("down"), () => new TypeError("odd")]);
  await expect(model.invoke("q")).rejects.toThrow("down");
  await expect(model.stream("q").then(collect)).rejects.toThrow("odd");
  model.assertExhausted();
});

it("fails on a call beyond the script, and again when the script is checked", async () => {
  const model = scriptedModel(["one"]);
  await model.invoke("first");
  const beyond = model.invoke("second");
  await expect(beyond).rejects.toThrow(ScriptError);
  await expect(beyond).rejects.toThrow('Call 2 came, but 1 reply was scripted. Asked: "second"');
  expect(() => model.assertExhausted()).toThrow("Call 2 came");
});

it("names the replies that are left over", async () => {
  const model = scriptedModel(["one", "two", { toolCalls: [] }, new Error("e")]);
  await model.invoke("q");
  expect(() => model.assertExhausted()).toThrow(
    /3 of 4 replies were scripted and never asked for:\n {2}#2 "two"\n {2}#3 .*\n {2}#4 Error: e/,
  );
});

it("shows a failed assertion of a reply function although the caller swallowed it", async () => {
  const model = scriptedModel([
    () => {
      throw new Error("expected a system message");
    },
  ]);
  await model.invoke("q").catch(() => undefined);
  expect(() => model.assertExhausted()).toThrow("expected a system message");
});

it("checks the script at the end of a using block", () => {
  expect(() => {
    using model = scriptedModel(["unasked"]);
    expect(model.calls).toEqual([]);
  }).toThrow("never asked for");
});

it("cut arguments are invalid when invoked and repaired when streamed, as with the OpenAI client", async () => {
  const call = { name: "read", args: { path: "/data/images" } };
  const reply = fault.cutArguments(call, 17);
  const model = scriptedModel([reply, reply]);
  const invoked = await model.invoke("q");
  expect(invoked.tool_calls).toEqual([]);
  expect(invoked.invalid_tool_calls).toMatchObject([
    { name: "read", args: '{"path":"/data/im', id: "call_1" },
  ]);
  const { whole } = await collect(await model.stream("q"));
  expect(whole.tool_calls).toMatchObject([{ args: { path: "/data/im" } }]);
  expect(whole.response_metadata).toMatchObject({ finish_reason: "length" });
});
