import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReactGraph, handOff, type ReactOptions } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const { tools } = countingTools("price");
const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const written = (action: string, input: unknown) =>
  JSON.stringify({ thought: "So.", action, action_input: input });

const agent = (
  replies: Parameters<typeof scriptedModel>[0],
  options: Partial<ReactOptions> = {},
) => {
  const models = scriptedModel(replies);
  return { models, graph: createReactGraph({ models, tools, callFirst: true, ...options }) };
};

describe("an agent that calls first", () => {
  it("is held to a call until it has made one", async () => {
    const { models, graph } = agent([call("tea"), "Tea costs 3."]);
    const { answer } = await graph.invoke(ask("What does tea cost?"));
    expect(answer).toBe("Tea costs 3.");
    expect(models.calls.map(({ options }) => options.tool_choice)).toEqual(["any", undefined]);
  });

  it("is held to one again for the next question of a thread", async () => {
    const script = [call("tea"), "Tea costs 3.", call("milk"), "Milk costs 2."];
    const { models, graph } = agent(script, { checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "one" } };
    await graph.invoke(ask("What does tea cost?"), thread);
    const { answer } = await graph.invoke(ask("And milk?"), thread);
    expect(answer).toBe("Milk costs 2.");
    const choices = models.calls.map(({ options }) => options.tool_choice);
    expect(choices).toEqual(["any", undefined, "any", undefined]);
  });

  it.each([
    { name: "a figure from memory", text: "Tea costs 99." },
    { name: "a greeting", text: "Hello!" },
    { name: "an answer in JSON", text: written("final_answer", "99") },
    { name: "a call of another tool as text", text: written("prices", {}) },
  ])("sends $name back: it is no answer, and nobody hears it", async ({ text }) => {
    const { models, graph } = agent([text, call("tea"), "Tea costs 3."]);
    const heard: string[] = [];
    const stream = await graph.stream(ask("What does tea cost?"), { streamMode: "messages" });
    for await (const [message] of stream) heard.push(message.text);
    expect(heard.join("")).not.toContain("99");
    expect(heard.join("")).toContain("Tea costs 3.");
    expect(models.calls[1]?.messages.at(-1)?.text).toMatch(/(called no tool|there is no tool)/);
    models.assertExhausted();
  });

  it("asks a model in JSON that answers in place of a native call, unless it is to be called natively", async () => {
    const inJson = [written("price", { item: "tea" }), written("final_answer", "Tea costs 3.")];
    const turned = agent(["Tea costs 99.", ...inJson]);
    expect((await turned.graph.invoke(ask("What does tea cost?"))).answer).toBe("Tea costs 3.");
    const form = JSON.stringify(turned.models.calls[1]?.options.response_format);
    expect(form).toContain("price");
    expect(form).not.toContain("final_answer");
    const native = agent(["Tea costs 99.", call("tea"), "Tea costs 3."], { protocol: "native" });
    expect((await native.graph.invoke(ask("What does tea cost?"))).answer).toBe("Tea costs 3.");
    expect(native.models.calls[1]?.options).toMatchObject({ tool_choice: "any" });
  });

  it("ends as failed where a model never calls: what it says is no answer", async () => {
    const { graph } = agent(["Tea costs 99.", "Tea costs 98.", "Tea costs 97."]);
    const { answer, outcome } = await graph.invoke(ask("What does tea cost?"));
    expect(outcome).toMatchObject({ status: "failed", reason: /called no tool/ });
    expect(answer).not.toMatch(/9[789]/);
  });

  it("may answer after a call that failed, and hand off at once", async () => {
    const unknown = { toolCalls: [{ name: "weigh", args: {} }] };
    const failing = agent([unknown, "I cannot find that out."]);
    expect((await failing.graph.invoke(ask("How heavy is tea?"))).outcome).toMatchObject({
      status: "answered",
    });
    const handing = agent([{ toolCalls: [{ name: "hand_off", args: { reason: "no tool" } }] }], {
      tools: [...tools, handOff],
    });
    expect((await handing.graph.invoke(ask("Sue me!"))).outcome).toMatchObject({
      status: "handed_off",
    });
  });

  it("in the JSON protocol has no answer to choose at first", async () => {
    const replies = [written("price", { item: "tea" }), written("final_answer", "3")];
    const { models, graph } = agent(replies, { protocol: "json" });
    expect((await graph.invoke(ask("What does tea cost?"))).answer).toBe("3");
    const forms = models.calls.map(({ options }) => JSON.stringify(options.response_format));
    expect(forms[0]).not.toContain("final_answer");
    expect(forms[1]).toContain("final_answer");
  });

  it("asks a server again that refuses to hold its model to a call", async () => {
    const refusal = Object.assign(new Error("400 this model does not support this tool_choice"), {
      status: 400,
    });
    const { models, graph } = agent([refusal, "99.", call("tea"), "3."]);
    expect((await graph.invoke(ask("What does tea cost?"))).answer).toBe("3.");
    const choices = models.calls.map(({ options }) => options.tool_choice);
    expect(choices).toEqual(["any", undefined, undefined, undefined]);
  });

  it("answers without tools, and without the option", async () => {
    const bare = agent(["Hello!"], { tools: [] });
    expect((await bare.graph.invoke(ask("Hello"))).answer).toBe("Hello!");
    const free = agent(["Hello!"], { callFirst: false });
    expect((await free.graph.invoke(ask("Hello"))).answer).toBe("Hello!");
    expect(free.models.calls[0]?.options.tool_choice).toBeUndefined();
  });

  it("is on or off", () => {
    // @ts-expect-error -- a text is no switch
    expect(() => agent([], { callFirst: "yes" })).toThrow(/callFirst: expected true or false/);
  });
});
