import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { callModel } from "../../../src/models/call-model.js";
import {
  type ChatRequest,
  type DialectName,
  fault,
  type ServerAnswer,
} from "../../../src/testing/index.js";
import { modelRequest, type RequestOptions, specModel } from "../../support/model-request.js";
import { callsOf, resultOf } from "../../support/provider-requests.js";
import { serve } from "../../testing/client.js";

const search = tool(() => "found", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const tools = [search];
const args = { query: "x" };
const action = (name: string, input: unknown) =>
  JSON.stringify({ thought: "Hm.", action: name, action_input: input });

/** Answers in whichever way it is asked. */
const able = (request: ChatRequest): ServerAnswer => {
  const isWritten = JSON.stringify(request.messages).includes("exactly one JSON object");
  return isWritten ? action("search", args) : { toolCalls: [{ name: "search", args }] };
};

const called = {
  kind: "replied",
  message: { tool_calls: [expect.objectContaining({ name: "search", args })] },
};

/** A server and calls of one model behind it, which remembers what it learns. */
async function modelOn(dialect: DialectName, options: RequestOptions = {}) {
  const server = await serve({ replies: able, dialect, strictPairing: true });
  const handle = await specModel(server);
  const ask = async (more: RequestOptions = {}) => {
    const { request, events } = modelRequest([handle], { tools, ...options, ...more });
    const reply = await callModel(request);
    return {
      reply,
      learned: capabilitiesOf(events),
      statuses: server.requests.map((one) => one.status),
    };
  };
  return { ask, server, handle };
}

/** What `model_adapted` events tell of. */
function capabilitiesOf(events: readonly unknown[]) {
  const adapted = events.filter((event) => Reflect.get(Object(event), "type") === "model_adapted");
  return adapted.map((event) => {
    expect(event).toMatchObject({ model: "openai:x", runId: "run", node: "agent" });
    return Reflect.get(Object(event), "capability");
  });
}

const twice = [new HumanMessage("q"), new HumanMessage("and now?")];
const parallel = [new HumanMessage("q"), callsOf("a", "b"), resultOf("a"), resultOf("b")];

const refusing: readonly { dialect: DialectName; options: RequestOptions; learned: string[] }[] = [
  { dialect: "no-tools", options: {}, learned: ["json_calls"] },
  {
    dialect: "no-system-message",
    options: { messages: [new SystemMessage("Be brief."), ...twice] },
    learned: ["no_system"],
  },
  {
    dialect: "alternating-roles",
    options: { messages: [new SystemMessage("Be brief."), ...twice] },
    learned: ["alternating"],
  },
  { dialect: "one-call-per-message", options: { messages: parallel }, learned: ["single_calls"] },
  {
    dialect: "no-json-schema",
    options: { protocol: "json" },
    learned: ["no_json_schema"],
  },
  {
    dialect: "no-response-format",
    options: { protocol: "json" },
    learned: ["no_json_schema", "no_json_mode"],
  },
];

describe("a refusal", () => {
  it.each(refusing.filter(({ dialect }) => dialect !== "no-system-message"))(
    "of $dialect teaches $learned, once and for all",
    async ({ dialect, options, learned }) => {
      const { ask, handle } = await modelOn(dialect, options);
      const first = await ask();
      expect(first.reply).toMatchObject(called);
      expect(first.learned).toEqual(learned);
      expect([...handle.missing]).toEqual(learned);
      expect(first.statuses.filter((status) => status !== 200)).toHaveLength(learned.length);
      expect(first.reply.usage.modelCalls).toBe(learned.length + 1);

      const second = await ask();
      expect(second.reply).toMatchObject(called);
      expect(second.learned).toEqual([]);
      expect(second.statuses.slice(first.statuses.length)).toEqual([200]);
    },
  );

  it.each(refusing)(
    "of $dialect is learned by requests made at once",
    async ({ dialect, options }) => {
      const { ask } = await modelOn(dialect, options);
      const replies = await Promise.all([ask(), ask(), ask()]);
      for (const { reply } of replies) expect(reply).toMatchObject(called);
    },
  );

  it("without words is answered with all that may have been meant left out", async () => {
    const { ask, handle } = await modelOn("no-system-message", refusing[1]?.options);
    expect((await ask()).reply).toMatchObject(called);
    expect([...handle.missing].toSorted(byName)).toEqual(["alternating", "no_system"]);
    const { statuses } = await ask();
    expect(statuses).toEqual([400, 200, 200]);
  });

  it("of tools without words has them written at last", async () => {
    const { ask, handle } = await modelOn("no-auto-tools");
    expect(await ask()).toMatchObject({ reply: called, statuses: [400, 400, 200] });
    expect(handle.missing.has("json_calls")).toBe(true);
    expect((await ask()).statuses).toEqual([400, 400, 200, 200]);
  });

  it("of tools ends the call where no other way is allowed", async () => {
    const { ask, handle } = await modelOn("no-tools", { protocol: "native" });
    const { reply, statuses } = await ask();
    expect(reply).toMatchObject({ kind: "failed", reason: expect.stringMatching(/support tools/) });
    expect(statuses).toEqual([400]);
    expect(handle.missing.size).toBe(0);
  });

  it("counts against the limit of calls, and is learned all the same", async () => {
    const { ask, handle } = await modelOn("no-tools");
    const { reply } = await ask({ limits: { modelCalls: 1 } });
    expect(reply).toMatchObject({ kind: "limit", limit: "modelCalls", usage: { modelCalls: 1 } });
    expect([...handle.missing]).toEqual(["json_calls"]);
    expect((await ask()).statuses).toEqual([400, 200]);
  });

  it("that is none changes nothing", async () => {
    const outage = fault.status(500, { message: "FUNCTION_INVOCATION_FAILED: tool runtime" });
    const replies = [outage, outage, outage];
    const server = await serve({ replies });
    const handle = await specModel(server);
    const { request, events } = modelRequest([handle], { tools });
    expect(await callModel(request)).toMatchObject({ kind: "failed", status: 500 });
    expect([capabilitiesOf(events), handle.missing.size]).toEqual([[], 0]);
    server.assertExhausted();
  });

  it("leaves the caller's messages as they were", async () => {
    const messages = [new SystemMessage("Be brief."), ...twice, ...parallel.slice(1)];
    const before = JSON.stringify(messages);
    const { ask } = await modelOn("strictly-alternating-roles", { messages });
    expect((await ask()).reply).toMatchObject(called);
    expect(JSON.stringify(messages)).toBe(before);
  });
});

describe("a template that takes no system message, and speaks of turns", () => {
  it.each([
    { name: "with tools", options: { tools } },
    { name: "without tools", options: { tools: [] } },
  ])("is given none, $name", async ({ options }) => {
    const server = await serve({
      replies: () => "It is 4.",
      dialect: {
        description: "vLLM with the chat template of Mistral 7B, which takes no system message.",
        refuses: ({ messages }) =>
          messages.every(({ role }, at) => (role === "user") === (at % 2 === 0))
            ? undefined
            : { status: 400, message: "Conversation roles must alternate user/assistant/..." },
      },
    });
    const handle = await specModel(server);
    const messages = [new SystemMessage("Be brief."), new HumanMessage("q")];
    const { request } = modelRequest([handle], { ...options, messages });
    expect(await callModel(request)).toMatchObject({ message: { content: "It is 4." } });
    expect([...handle.missing]).toEqual(["alternating", "no_system"]);
  });
});

it("gives a reply that is a stated read in words as a call, and asks for JSON from then on", async () => {
  const { ask, server, handle } = await modelOn("calls-as-fenced-text");
  const first = await ask({ reads: new Set(["search"]) });
  expect(first.reply).toMatchObject({ ...called, protocol: { name: "native" } });
  expect(first.learned).toEqual(["json_calls"]);
  const second = await ask();
  expect(second.reply).toMatchObject({ ...called, protocol: { name: "json" } });
  expect(server.requests[1]?.body).not.toHaveProperty("tools");
  expect([...handle.missing]).toEqual(["json_calls"]);
});

it("asks a model that writes a call of no stated read for JSON, once, and learns it of the call that comes", async () => {
  const { ask, server, handle } = await modelOn("calls-as-fenced-text");
  const first = await ask();
  expect(first.reply).toMatchObject({
    ...called,
    protocol: { name: "json" },
    usage: { modelCalls: 2 },
  });
  expect(first.learned).toEqual(["json_calls"]);
  const second = await ask();
  expect(second.reply).toMatchObject({
    ...called,
    protocol: { name: "json" },
    usage: { modelCalls: 1 },
  });
  expect(server.requests.map(({ body }) => Object.hasOwn(body ?? {}, "tools"))).toEqual([
    true,
    false,
    false,
  ]);
  expect([...handle.missing]).toEqual(["json_calls"]);
});

it("teaches each model of a role for itself", async () => {
  const [down, plain] = await Promise.all([
    serve({ replies: able, dialect: "no-tools", intercept: () => fault.status(401) }),
    serve({ replies: able, dialect: "no-tools" }),
  ]);
  const models = [await specModel(down), await specModel(plain, "y")];
  const { request, types } = modelRequest(models, { tools });
  const reply = await callModel(request);
  expect(reply).toMatchObject({ ...called, usage: { modelCalls: 3 } });
  expect(models.map(({ missing }) => [...missing])).toEqual([[], ["json_calls"]]);
  expect(types().filter((type) => type === "fallback" || type === "model_adapted")).toEqual([
    "fallback",
    "model_adapted",
  ]);
});

function byName(left: string, right: string): number {
  return left.localeCompare(right);
}
