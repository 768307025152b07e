import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { tool } from "@langchain/core/tools";

import { callModel } from "../../../src/models/call-model.js";
import { openModel } from "../../../src/models/open-model.js";
import { fault, scriptedModel, type ScriptedReply } from "../../../src/testing/index.js";
import { inEveryWay, modelRequest, specModel, ways } from "../../support/model-request.js";
import { serve } from "../../testing/client.js";

const cut = (text: string): ScriptedReply => ({ text, finishReason: "length" });
const look = tool(() => "found", { name: "look", description: "Looks.", schema: z.object({}) });

async function ask(replies: readonly (ScriptedReply | string)[], options = {}) {
  const server = await serve({ replies: [...replies] });
  const { request, events, budget } = modelRequest([await specModel(server)], options);
  const reply = await callModel(request);
  server.assertExhausted();
  return { reply, server, events, budget };
}

describe("a text that was cut", () => {
  it.each(inEveryWay([{ protocol: "native" as const }, { protocol: "auto" as const }]))(
    "$way is continued and comes back as one ($protocol)",
    async ({ config, protocol }) => {
      const { reply, server, budget } = await ask(
        [cut("The steps are: first you"), cut("first you open it, then"), " you close it."],
        { config: config(), protocol },
      );
      expect(reply).toMatchObject({
        kind: "replied",
        message: { content: "The steps are: first you open it, then you close it." },
      });
      expect(reply.usage).toMatchObject({
        modelCalls: 3,
        tokensIn: server.usage.input,
        tokensOut: server.usage.output,
      });
      expect(budget.usage()).toEqual(reply.usage);
      const asked = server.requests[2]?.body?.messages.slice(-2);
      expect(asked).toMatchObject([
        { role: "assistant", content: "The steps are: first you open it, then" },
        { role: "user", content: expect.stringContaining("cut off") },
      ]);
    },
  );

  it.each(ways)(
    "$way is given up after two continuations, and told as far as it came",
    async ({ config }) => {
      const { reply } = await ask([cut("one, two,"), cut(" three,"), cut(" four,")], {
        config: config(),
      });
      expect(reply).toMatchObject({
        kind: "limit",
        limit: "outputTokens",
        said: { content: "one, two, three, four," },
      });
      expect(reply.usage.modelCalls).toBe(3);
    },
  );

  it.each([
    { name: "is empty", second: "", third: "the rest.", text: "half of the rest." },
    {
      name: "repeats everything",
      second: "half of ",
      third: "the rest.",
      text: "half of the rest.",
    },
  ])(
    "is continued once more where the continuation $name and is cut",
    async ({ second, third, text }) => {
      const { reply } = await ask([cut("half of "), cut(second), third]);
      expect(reply).toMatchObject({ kind: "replied", message: { content: text } });
    },
  );

  it("does not pass for whole where its continuations bring nothing", async () => {
    const { reply } = await ask([cut("half of "), "", ""]);
    expect(reply).toMatchObject({ kind: "limit", said: { content: "half of " } });
  });

  it("goes on to a native call that its continuation makes", async () => {
    const calls = { text: "at the shelf.", toolCalls: [{ name: "look", args: {} }] };
    const { reply } = await ask([cut("I will look "), calls], { tools: [look] });
    expect(reply).toMatchObject({
      kind: "replied",
      message: { content: "I will look at the shelf.", tool_calls: [{ name: "look", args: {} }] },
    });
  });

  it.each(["auto", "native", "json"] as const)(
    "makes no call of what its continuation writes (%s)",
    async (protocol) => {
      const call = '{"name": "look", "arguments": {}}';
      const begin =
        protocol === "json" ? "Final Answer: You would write this:\n" : "You would write this:\n";
      const { reply } = await ask([cut(begin), call], { tools: [look], protocol });
      expect(reply).toMatchObject({ kind: "replied", message: { tool_calls: [] } });
      expect(reply).toHaveProperty("message.text", expect.stringContaining(call));
    },
  );

  it("stays cut where a limit or a failure is in the way of more", async () => {
    const limited = await ask([cut("half of ")], { limits: { modelCalls: 1 } });
    expect(limited.reply).toMatchObject({
      kind: "limit",
      limit: "outputTokens",
      said: { content: "half of " },
      reason: expect.stringContaining("modelCalls"),
    });
    const server = await serve({ replies: [cut("half of "), fault.status(401)] });
    const { request } = modelRequest([await specModel(server)]);
    expect(await callModel(request)).toMatchObject({
      kind: "limit",
      limit: "outputTokens",
      said: { content: "half of " },
      reason: expect.stringContaining("401"),
    });
  });

  it("is continued by the model that wrote it", async () => {
    const down = await serve({ replies: () => fault.status(401) });
    const up = await serve({ replies: [cut("half of "), "it."] });
    const { request } = modelRequest([await specModel(down, "a"), await specModel(up, "b")]);
    expect(await callModel(request)).toMatchObject({ message: { content: "half of it." } });
    expect(down.requests).toHaveLength(1);
  });

  it("is no text where it is to be an object, or holds a call", async () => {
    const output = { name: "f", schema: { type: "object" } };
    const object = await ask([cut('{"a": 1')], { output });
    expect(object.reply).toMatchObject({ kind: "replied", message: { content: '{"a": 1' } });
    // LangChain's client prints that it cannot read the call.
    vi.spyOn(console, "warn").mockReturnValue();
    const call = fault.cutArguments({ name: "look", args: { where: "there" } });
    const again = await ask([call, "done"], { tools: [look] });
    expect(again.reply).toMatchObject({ kind: "replied", message: { content: "done" } });
    expect(again.events).toContainEqual(expect.objectContaining({ type: "model_corrected" }));
  });
});

describe("a reply that was declined", () => {
  const filtered = { text: "Take one part of", finishReason: "content_filter" };
  const refused = { text: "I will not help with that.", finishReason: "refusal" };

  it.each(
    inEveryWay([
      { name: "filtered", answer: filtered },
      { name: "refused", answer: refused },
    ]),
  )("$way is not asked for again, nor of a fallback: $name", async ({ name, answer, config }) => {
    const first = await serve({ replies: [answer] });
    const second = await serve({ replies: [] });
    const models = [await specModel(first, "a"), await specModel(second, "b")];
    const { request } = modelRequest(models, { config: config() });
    const reply = await callModel(request);
    expect(reply).toMatchObject({ kind: "failed", cause: name, said: { content: answer.text } });
    expect(reply.usage.modelCalls).toBe(1);
    second.assertExhausted();
  });

  it("keeps the words of a refusal, and none of a filter's", async () => {
    const { reply } = await ask([refused]);
    expect(reply).toHaveProperty("reason", expect.stringContaining("I will not help with that."));
    const empty = await ask([{ finishReason: "content_filter" }]);
    expect(empty.reply).toMatchObject({
      cause: "filtered",
      reason: expect.stringContaining("filter"),
    });
    expect(empty.reply).not.toHaveProperty("said");
  });

  it("runs no call of it", async () => {
    const calls = { toolCalls: [{ name: "look", args: {} }], finishReason: "content_filter" };
    const { reply } = await ask([calls], { tools: [look] });
    expect(reply).toMatchObject({ kind: "failed", cause: "filtered" });
    expect(reply).not.toHaveProperty("said");
  });

  it("keeps what came before a continuation was declined", async () => {
    const { reply } = await ask([cut("Take one part of "), { finishReason: "content_filter" }]);
    expect(reply).toMatchObject({
      kind: "failed",
      cause: "filtered",
      said: { content: "Take one part of " },
    });
    expect(reply.usage.modelCalls).toBe(2);
  });

  it("is final for an instance too", async () => {
    const model = scriptedModel([filtered]);
    const { request } = modelRequest([await openModel(model, {})]);
    expect(await callModel(request)).toMatchObject({ kind: "failed", cause: "filtered" });
    model.assertExhausted();
  });
});
