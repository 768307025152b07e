import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { accounting } from "../../../src/models/call/accounting.js";
import { capabilities } from "../../../src/models/call/capabilities.js";
import { continuation } from "../../../src/models/call/continuation.js";
import { corrections } from "../../../src/models/call/corrections.js";
import { fallbacks } from "../../../src/models/call/fallbacks.js";
import { hooks } from "../../../src/models/call/hooks.js";
import { retries } from "../../../src/models/call/retries.js";
import type { ModelAttempt, ModelCall, ModelStage } from "../../../src/models/call/stage.js";
import { CallFailed } from "../../../src/models/model-failure.js";
import type { WrapModelCall } from "../../../src/models/model-hook.js";
import type { Reply } from "../../../src/models/model-request.js";
import { jsonProtocol } from "../../../src/models/provider/json-protocol.js";
import { Refused } from "../../../src/models/provider/refusals.js";
import { type Stage, stages } from "../../../src/run/stages.js";
import { modelCall, namedModel, replyOf, scriptedNext } from "../../support/model-call.js";
import type { RequestOptions } from "../../support/model-request.js";

const a = await namedModel("a");
const b = await namedModel("b");

/** A stage alone: what it hands on, gives back and throws. */
async function run(
  stage: Stage<ModelAttempt, Reply, ModelCall>,
  outcomes: readonly (Reply | Error)[],
  options: Parameters<typeof modelCall>[1] = {},
  model = a,
) {
  const { call, ...rest } = modelCall(model, options);
  const { next, calls } = scriptedNext(outcomes);
  const outcome = await stage({ ...call, modelCallId: "1", attempt: 1 }, next).then(
    (reply) => ({ reply, error: undefined }),
    (error: unknown) => ({ reply: undefined, error }),
  );
  return { ...outcome, ...rest, calls, call };
}

const cut = (content: string) =>
  replyOf({ content, response_metadata: { finish_reason: "length" } });
const limit = (model: string) => new CallFailed({ kind: "limit", limit: "modelCalls", model });
const status = (code: number) => Object.assign(new Error(`${code} no`), { status: code });

const marked =
  (mark: string): ModelStage =>
  async (call, next) => {
    const reply = await next({ ...call, messages: [...call.messages, new HumanMessage(mark)] });
    return { ...reply, model: `${mark}${reply.model}` };
  };

const passing: WrapModelCall = (request, handler) => handler(request);
const copying: WrapModelCall = async (request, handler) =>
  new AIMessage((await handler(request)).text);
const mending: WrapModelCall = async (request, handler) => {
  await handler(request);
  return new AIMessage("It is 5.");
};
const again: WrapModelCall = async (request, handler) => {
  const first = await handler(request);
  await handler(request);
  return first;
};
const swallowing: WrapModelCall = async (request, handler) => {
  try {
    return await handler(request);
  } catch {
    return new AIMessage("Never mind.");
  }
};
const broken: WrapModelCall = () => Promise.reject(new Error("no way"));

it("composes stages, the first outermost", async () => {
  const { call } = modelCall(a, { messages: [] });
  const road = stages<ModelCall, Reply>()
    .through(marked("1"))
    .through(marked("2"))
    .to(async ({ messages }) =>
      replyOf("ok", { model: messages.map(({ text }) => text).join("") }),
    );
  expect((await road(call)).model).toBe("1212");
});

describe("corrections", () => {
  it("hands a reply on that can be used", async () => {
    const { reply, calls, types } = await run(corrections, [replyOf("It is 4.")]);
    expect([reply?.message.text, calls.length, types()]).toEqual(["It is 4.", 1, []]);
  });

  it("sends a reply back with what was wrong, behind the other messages", async () => {
    const trailingMessages = [new HumanMessage("Be brief.")];
    const { reply, calls } = await run(corrections, [replyOf(""), replyOf("It is 4.")], {
      trailingMessages,
    });
    expect(reply?.message.text).toBe("It is 4.");
    expect(calls.map(({ isCorrection, isLast }) => [isCorrection, isLast])).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(calls[1]?.trailingMessages?.map(({ text }) => text)).toEqual([
      "Be brief.",
      expect.stringContaining("your reply was empty"),
    ]);
  });

  it("asks in the words of the reply's protocol", async () => {
    const wrong = replyOf("Hm.", { problem: "no object", protocol: jsonProtocol });
    const { calls } = await run(corrections, [wrong, replyOf("It is 4.")]);
    expect(calls[1]?.trailingMessages?.at(-1)?.text).toMatch(
      /no object.*give the complete answer/s,
    );
  });

  it("fails after three replies", async () => {
    const { error, types } = await run(corrections, [replyOf(""), replyOf(""), replyOf("")]);
    expect(error).toMatchObject({
      failure: { kind: "failed", model: "a", reason: expect.stringContaining("3 times") },
    });
    expect(types()).toEqual(Array(3).fill("model_corrected"));
  });
});

describe("continuation", () => {
  it.each([
    { name: "a whole text", replies: [replyOf("It is 4.")], text: "It is 4." },
    { name: "a cut text", replies: [cut("It is"), replyOf(" 4.")], text: "It is 4." },
    {
      name: "a text cut twice",
      replies: [cut("It"), cut(" is"), replyOf(" 4.")],
      text: "It is 4.",
    },
  ])("gives $name back as one", async ({ replies, text }) => {
    const { reply, calls } = await run(continuation, replies);
    expect([reply?.message.text, calls.length]).toEqual([text, replies.length]);
  });

  it("asks the model that wrote the text, and no fallback before it", async () => {
    const written = { ...cut("It is"), model: "b" };
    const { calls } = await run(continuation, [written, replyOf(" 4.")], { models: [a, b] });
    expect([calls[1]?.model.name, calls[1]?.models.length]).toEqual(["b", 1]);
  });

  it.each([
    { name: "stays cut", replies: [cut("a "), cut("b "), cut("c ")], said: "a b c " },
    { name: "cannot be continued", replies: [cut("a "), limit("a")], said: "a " },
  ])("fails with a text that $name", async ({ replies, said }) => {
    const { error } = await run(continuation, replies);
    expect(error).toMatchObject({
      failure: { kind: "limit", limit: "outputTokens", said: { content: said } },
    });
  });

  it("throws what is no failure of a call as it is", async () => {
    const aborted = new Error("aborted");
    expect((await run(continuation, [cut("a "), aborted])).error).toBe(aborted);
  });
});

describe("fallbacks", () => {
  it("asks the next model when one fails", async () => {
    const { reply, calls, types } = await run(fallbacks, [status(401), replyOf("It is 4.")], {
      models: [a, b],
    });
    expect(calls.map(({ model }) => model.name)).toEqual(["a", "b"]);
    expect([reply?.model, types()]).toEqual(["b", ["fallback"]]);
  });

  const filtered = Object.assign(new Error("no"), { code: "content_filter" });

  it.each([
    { name: "a limit", error: limit("a"), failure: { kind: "limit", limit: "modelCalls" } },
    { name: "a filtered prompt", error: filtered, failure: { kind: "failed", cause: "filtered" } },
  ])("asks no other model after $name", async ({ error: thrown, failure }) => {
    const { error, calls } = await run(fallbacks, [thrown], { models: [a, b] });
    expect(error).toMatchObject({ failure: { ...failure, model: "a" } });
    expect(calls).toHaveLength(1);
  });

  it("fails with the last model's failure", async () => {
    const { error } = await run(fallbacks, [status(401), status(500)], { models: [a, b] });
    expect(error).toMatchObject({ failure: { kind: "failed", status: 500, model: "b" } });
  });

  it("throws when the caller aborts", async () => {
    const signal = AbortSignal.abort(new Error("called off"));
    const { error } = await run(fallbacks, [status(500)], { models: [a, b], signal });
    expect(error).toMatchObject({ message: "called off" });
  });
});

describe("hooks", () => {
  const wrong = replyOf("It is 4.", { problem: "no object", protocol: jsonProtocol });

  it.each([
    { name: "hands on", hook: passing, replies: [wrong], problem: "no object" },
    { name: "copies", hook: copying, replies: [wrong], problem: "no object" },
    { name: "replaces", hook: mending, replies: [wrong], problem: undefined },
    {
      name: "takes of two",
      hook: again,
      replies: [wrong, replyOf("It is 5.")],
      problem: "no object",
    },
  ])("keep what is wrong with a reply that a hook $name: $problem", async (row) => {
    const { reply } = await run(hooks, row.replies, { wrap: [row.hook] });
    expect([reply?.problem, reply?.protocol]).toEqual([row.problem, jsonProtocol]);
  });

  it("let a hook answer in place of an error, and not of a limit", async () => {
    const down = await run(hooks, [status(500)], { wrap: [swallowing] });
    expect(down.reply?.message.text).toBe("Never mind.");
    const reached = limit("a");
    expect((await run(hooks, [reached], { wrap: [swallowing] })).error).toBe(reached);
  });

  it("tell an error of the model from one of a hook", async () => {
    const down = status(500);
    expect((await run(hooks, [down], { wrap: [passing] })).error).toBe(down);
    const { error } = await run(hooks, [], { wrap: [broken] });
    expect(error).toMatchObject({ failure: { reason: expect.stringContaining("no way") } });
  });
});

describe("capabilities", () => {
  const named = new Refused(status(400), "no_stop", []);
  const silent = new Refused(status(400), undefined, [["no_system"], ["no_system", "json_calls"]]);

  it.each<{ name: string; outcomes: (Reply | Error)[]; learned: string[] }>([
    { name: "nothing of a reply", outcomes: [replyOf("4")], learned: [] },
    { name: "what a refusal names", outcomes: [named, replyOf("4")], learned: ["no_stop"] },
    { name: "the guess that helps", outcomes: [silent, replyOf("4")], learned: ["no_system"] },
    {
      name: "the second guess",
      outcomes: [silent, silent, replyOf("4")],
      learned: ["no_system", "json_calls"],
    },
    {
      name: "what a reply shows",
      outcomes: [replyOf("4", { learned: "no_json_mode" })],
      learned: ["no_json_mode"],
    },
  ])("learn $name", async ({ outcomes, learned }) => {
    const model = await namedModel("a", { missing: new Set() });
    const { reply, types, calls } = await run(capabilities, outcomes, {}, model);
    expect([...model.missing]).toEqual(learned);
    expect(types()).toEqual(learned.map(() => "model_adapted"));
    expect(reply).not.toHaveProperty("learned");
    expect(calls).toHaveLength(outcomes.length);
  });

  it.each([
    { name: "no guess is left", outcomes: [silent, silent, silent], thrown: silent.cause },
    {
      name: "it is none",
      outcomes: [status(500)],
      thrown: expect.objectContaining({ status: 500 }),
    },
  ])("throw the provider's error where $name", async ({ outcomes, thrown }) => {
    const model = await namedModel("a", { missing: new Set() });
    expect((await run(capabilities, outcomes, {}, model)).error).toEqual(thrown);
    expect(model.missing.size).toBe(0);
  });

  it("refuse a question with content that the model cannot read", async () => {
    const model = await namedModel("a", { missing: new Set(["no_images"]) });
    const content = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }];
    const options: RequestOptions = { messages: [new HumanMessage({ content })] };
    const { error, calls } = await run(capabilities, [], options, model);
    expect(error).toMatchObject({ failure: { cause: "unsupported_input" } });
    expect(calls).toEqual([]);
  });
});

it.each([
  { code: 503, attempts: 2, outcomes: [status(503), replyOf("4")] },
  { code: 401, attempts: 1, outcomes: [status(401)] },
])("retries repeat a $code: $attempts attempts", async ({ outcomes, attempts }) => {
  const model = await namedModel("a", { retry: { attempts: 3, baseMs: 1 } });
  const { calls, types } = await run(retries, outcomes, {}, model);
  expect(calls.map((call) => Reflect.get(call, "attempt"))).toEqual([1, 2].slice(0, attempts));
  expect(types()).toHaveLength(attempts - 1);
});

describe("accounting", () => {
  it("records a reply and a failure, with their events", async () => {
    const good = await run(accounting, [replyOf("4")]);
    expect([good.usage().modelCalls, good.types()]).toEqual([
      1,
      ["model_started", "model_finished"],
    ]);
    const bad = await run(accounting, [status(500)]);
    expect([bad.usage().modelCalls, bad.types()]).toEqual([1, ["model_started", "model_failed"]]);
  });

  it("makes no call that a limit forbids, but the final one", async () => {
    const limits = { modelCalls: 0 };
    const { error, calls, types } = await run(accounting, [], { limits });
    expect(error).toMatchObject({ failure: { kind: "limit", limit: "modelCalls" } });
    expect([calls, types()]).toEqual([[], []]);
    const final = await run(accounting, [replyOf("4")], {
      limits,
      isFinalAnswer: true,
      reserve: 1,
    });
    expect(final.reply?.message.text).toBe("4");
  });
});
