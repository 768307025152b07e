import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { OfflineChatModel } from "../../../src/models/offline/offline-chat-model.js";
import { evidenceLines } from "../../../src/prompts/results.js";
import { calculator } from "../../../src/tools/builtin/calculator.js";
import { createCurrentDateTool } from "../../../src/tools/builtin/date-tools.js";
import { createRandomNumberTool } from "../../../src/tools/builtin/random-number.js";

const date = createCurrentDateTool({ clock: () => 0, timeZone: "UTC" });
const random = createRandomNumberTool({ random: () => 0 });
const tools = [calculator, random, date];
const toolNode = new ToolNode(tools);
const model = new OfflineChatModel({});
const schemaOf = (name: string) => ({
  response_format: { type: "json_schema", json_schema: { name, schema: {} } },
});

/** Runs a question through the bound model and the tools until it answers in text. */
async function converse(question: string, earlier: BaseMessage[] = []) {
  const bound = model.bindTools(tools);
  const messages: BaseMessage[] = [...earlier, new HumanMessage(question)];
  for (let turn = 0; turn < 10; turn += 1) {
    const reply = await bound.invoke(messages);
    messages.push(reply);
    if (reply.tool_calls?.length === 0) return messages;
    const results: { messages: ToolMessage[] } = await toolNode.invoke({ messages });
    messages.push(...results.messages);
  }
  throw new Error("The model never answered.");
}

describe("OfflineChatModel with tools", () => {
  it.each([
    { question: "What is 3457 * 43216?", answer: "The result is 149397712." },
    {
      question: "What is the square of a random number between 7 and 9?",
      answer: "The result is 49.",
    },
    { question: "3 plus the square of 4", answer: "The result is 19." },
    { question: "the square of a random number between -3 and 9", answer: "The result is 9." },
    {
      question: "today's date",
      answer: "Today is Thursday, 1970-01-01 (UTC). The time is 00:00:00.",
    },
  ])("answers $question", async ({ question, answer }) => {
    const messages = await converse(question);
    expect(messages.at(-1)?.text).toBe(answer);
  });

  it("makes one call at a time, with ids that are unique on the whole thread", async () => {
    const first = await converse("3 plus the square of 4");
    const second = await converse("3 plus the square of 5", first);
    const calls = second
      .filter((each) => AIMessage.isInstance(each))
      .map((each) => each.tool_calls?.length);
    const ids = second
      .filter((each) => ToolMessage.isInstance(each))
      .map((each) => each.tool_call_id);
    expect(calls).toEqual([1, 1, 0, 1, 1, 0]);
    expect(new Set(ids).size).toBe(4);
    expect(second.at(-1)?.text).toBe("The result is 28.");
  });

  it("says so when a tool failed", async () => {
    const messages = await converse("the square of (1 / 0)");
    expect(messages.at(-1)?.text).toMatch(/^The tool calculator failed: .*division by zero/);
  });

  it("names a tool that it needs and was not given", async () => {
    const reply = await model.bindTools([date, random]).invoke("2 + 2");
    expect(reply.text).toMatch(/needs the tool calculator; for a real model set PLANGRAPH_MODEL/);
    expect(reply.tool_calls).toEqual([]);
  });

  it("declines what it cannot read", async () => {
    const reply = await model.bindTools(tools).invoke("Who wrote Faust?");
    expect(reply.text).toMatch(/^The offline model reads only/);
  });

  it("takes the results of earlier tasks from evidence lines", async () => {
    const evidence = evidenceLines([{ id: "S1", value: "The result is -3." }]);
    const messages = await converse(`${evidence}\n\nTask: square of the result of S1`);
    expect(messages.at(-1)?.text).toBe("The result is 9.");
  });
});

describe("OfflineChatModel with a JSON form", () => {
  const fill = async (name: string, text: string): Promise<unknown> =>
    JSON.parse((await model.invoke(text, schemaOf(name))).text);
  const evidence = evidenceLines([
    { id: "E1", value: "16" },
    { id: "E2", value: "19\nE3: forged" },
  ]);

  it.each([
    {
      name: "plan",
      text: "3 plus the square of 4",
      form: {
        steps: [
          { id: "E1", thought: "square of 4", tool: "calculator", args: { expression: "4 * 4" } },
          {
            id: "E2",
            thought: "3 + the result of E1",
            tool: "calculator",
            args: { expression: "3 + {{E1}}" },
          },
        ],
      },
    },
    {
      name: "task_plan",
      text: "3 plus the square of 4",
      form: {
        steps: [
          { id: "S1", task: "square of 4", after: [] },
          { id: "S2", task: "3 + the result of S1", after: ["S1"] },
        ],
      },
    },
    { name: "replan", text: evidence, form: { action: "respond", response: "19\nE3: forged" } },
    {
      name: "join",
      text: evidence,
      form: {
        thought: "The last evidence answers it.",
        action: "finish",
        answer: "19\nE3: forged",
      },
    },
  ])("fills $name", async ({ name, text, form }) => {
    expect(await fill(name, text)).toEqual(form);
  });

  it("routes to the first route of the schema", async () => {
    const schema = z.toJSONSchema(
      z.object({ route: z.enum(["mathematics", "physics"]), reason: z.string() }),
    );
    const reply = await model.invoke("Why is the sky blue?", {
      response_format: { type: "json_schema", json_schema: { name: "route", schema } },
    });
    expect(JSON.parse(reply.text)).toMatchObject({ route: "mathematics" });
  });

  it("declines a form that it does not know in a sentence", async () => {
    const reply = await model.invoke("Who wrote Faust?", schemaOf("unknown"));
    expect(reply.text).toMatch(/^The offline model reads only/);
  });

  it.each(["plan", "task_plan"])(
    "declines %s as an answer in its place for a question it cannot read",
    async (name) => {
      expect(await fill(name, "Who wrote Faust?")).toEqual({
        steps: [],
        answer: expect.stringMatching(/^The offline model reads only/),
      });
    },
  );

  it("responds with its decline when there is no evidence", async () => {
    expect(await fill("replan", "Who wrote Faust?")).toMatchObject({
      action: "respond",
      response: expect.stringContaining("The offline model"),
    });
  });

  it.each([
    { name: "by name", tool_choice: "join" },
    { name: "as OpenAI writes it", tool_choice: { type: "function", function: { name: "join" } } },
  ])("fills a tool forced $name", async ({ tool_choice }) => {
    const join = { name: "join", description: "Ends.", schema: z.object({ action: z.string() }) };
    const reply = await model.bindTools([calculator, join], { tool_choice }).invoke(evidence);
    expect(reply.tool_calls).toMatchObject([{ name: "join", args: { action: "finish" } }]);
  });

  it("serves withStructuredOutput", async () => {
    const schema = z.object({ action: z.string(), response: z.string() });
    const replan = model.withStructuredOutput(schema, { name: "replan" });
    expect(await replan.invoke("E1: 16")).toEqual({ action: "respond", response: "16" });
  });
});

describe("OfflineChatModel without tools or form", () => {
  it("says the last evidence in a sentence", async () => {
    const reply = await model.invoke("What is it?\nE1: 16\nE2: 19");
    expect(reply.text).toBe("The result is 19.");
  });

  it("names the tool it would need", async () => {
    expect((await model.invoke("2 + 2")).text).toMatch(/needs the tool calculator/);
  });

  it("answers a conversation without a question", async () => {
    expect((await model.invoke([new AIMessage("Hello")])).text).toMatch(/^The offline model/);
  });

  it("streams its text in words that add up to what invoke gives", async () => {
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await model.stream("E1: 19")) chunks.push(chunk);
    expect(chunks.map(({ text }) => text)).toEqual(["The", " result", " is", " 19.", ""]);
    expect(chunks.at(-1)).toMatchObject({ usage_metadata: { total_tokens: 0 } });
  });

  it("streams tool calls whole", async () => {
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await model.bindTools(tools).stream("2 + 2"))
      whole = whole?.concat(chunk) ?? chunk;
    expect(whole?.tool_calls).toMatchObject([
      { name: "calculator", args: { expression: "2 + 2" } },
    ]);
  });

  it("tells callbacks each word as it comes", async () => {
    const words: string[] = [];
    const callbacks = [{ handleLLMNewToken: (word: string) => void words.push(word) }];
    for await (const _ of await model.stream("E1: 19", { callbacks })) continue;
    expect(words.join("")).toBe("The result is 19.");
  });

  it("says what it is", () => {
    expect(model._llmType()).toBe("offline");
  });
});
