import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { callModel } from "../../../src/models/call-model.js";
import type { WrapModelCall } from "../../../src/models/model-hook.js";
import { scriptedModel, type ServerReply } from "../../../src/testing/index.js";
import { modelRequest, type RequestOptions, specModel } from "../../support/model-request.js";
import { serve } from "../../testing/client.js";

const search = tool(() => "found", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const messages = [new SystemMessage("Be brief."), new HumanMessage("q")];

/** A call through hooks, and what the server was sent. */
async function ask(
  wrap: readonly WrapModelCall[],
  replies: readonly ServerReply[],
  options: RequestOptions = {},
) {
  const server = await serve({ replies });
  const all = { messages, tools: [search], ...options, wrap };
  const { request, types } = modelRequest([await specModel(server)], all);
  const reply = await callModel(request);
  server.assertExhausted();
  const bodies = server.requests.map(({ body }) => body);
  const told = bodies.map((body) => body?.messages.map(({ role, content }) => [role, content]));
  return { reply, bodies, told, types };
}

const again: WrapModelCall = async (request, handler) => {
  await handler(request);
  return handler(request);
};

const emptying: WrapModelCall = (request, handler) => {
  request.messages.splice(0);
  request.state.messages.splice(0);
  return handler({ ...request, messages: [new HumanMessage("other")] });
};

const passing: WrapModelCall = (request, handler) => handler(request);

describe("a hook around a model call", () => {
  it("sees the request, and changes nothing by handing it on", async () => {
    const seen: unknown[] = [];
    const { told, reply } = await ask(
      [
        (request, handler) => {
          seen.push(request);
          return handler(request);
        },
      ],
      ["It is 4."],
      { state: { round: 1 } },
    );
    expect(seen).toMatchObject([
      {
        systemPrompt: "Be brief.",
        messages: [{ content: "q" }],
        tools: [search],
        state: { round: 1, messages: [{ content: "q" }] },
      },
    ]);
    expect(told).toEqual([
      [
        ["system", "Be brief."],
        ["user", "q"],
      ],
    ]);
    expect(reply).toMatchObject({ kind: "replied", message: { content: "It is 4." } });
  });

  it("changes messages, instructions, tools and settings", async () => {
    const { told, bodies } = await ask(
      [
        (request, handler) =>
          handler({
            ...request,
            systemPrompt: "Be long.",
            messages: [...request.messages, new HumanMessage("and now?")],
            tools: [],
            modelSettings: { seed: 7 },
          }),
      ],
      ["It is 4."],
    );
    expect(told).toEqual([
      [
        ["system", "Be long."],
        ["user", "q"],
        ["user", "and now?"],
      ],
    ]);
    expect(bodies[0]).toMatchObject({ seed: 7 });
    expect(bodies[0]).not.toHaveProperty("tools");
  });

  it("stands around those behind it", async () => {
    const order: string[] = [];
    const named =
      (name: string): WrapModelCall =>
      async (request, handler) => {
        order.push(`${name} begins`);
        const reply = await handler(request);
        order.push(`${name} ends`);
        return reply;
      };
    await ask([named("first"), named("second")], ["It is 4."]);
    expect(order).toEqual(["first begins", "second begins", "second ends", "first ends"]);
  });

  it("answers by itself, without a call", async () => {
    const { reply, types } = await ask([() => new AIMessage("No.")], []);
    expect(reply).toMatchObject({ message: { content: "No." }, usage: { modelCalls: 0 } });
    expect(types()).toEqual([]);
  });

  it("calls again, each call counted", async () => {
    const { reply } = await ask([again], ["It is 3.", "It is 4."]);
    expect(reply).toMatchObject({ message: { content: "It is 4." }, usage: { modelCalls: 2 } });
  });

  it("puts another model in its place", async () => {
    const other = scriptedModel(["From another."]);
    const { reply } = await ask([(request, handler) => handler({ ...request, model: other })], []);
    expect(reply).toMatchObject({ message: { content: "From another." } });
    other.assertExhausted();
  });

  it("is given calls as such, whatever the protocol", async () => {
    const text = '{"thought":"Hm.","action":"search","action_input":{"query":"x"}}';
    const seen: unknown[] = [];
    const looking: WrapModelCall = async (request, handler) => {
      const reply = await handler(request);
      seen.push(reply);
      return reply;
    };
    await ask([looking], [text], { protocol: "json" });
    expect(seen).toMatchObject([{ content: "", tool_calls: [{ name: "search" }] }]);
  });

  it("hands on a correction, which stays one", async () => {
    const { told, reply } = await ask([passing], ["It is 4.", "It is 4."], { protocol: "json" });
    expect(told[1]?.at(-1)?.[1]).toMatch(/^That did not work: /);
    expect(reply).toMatchObject({ message: { content: "It is 4." }, usage: { modelCalls: 2 } });
  });

  it.each<{ name: string; hook: WrapModelCall; reason: RegExp }>([
    {
      name: "throws",
      hook: () => {
        throw new Error("no way");
      },
      reason: /no way/,
    },
    {
      name: "hands on what is no model",
      hook: (request, handler) => handler(Object.assign({ ...request }, { model: "x" })),
      reason: /./,
    },
  ])("that $name is a failure of the call", async ({ hook, reason }) => {
    const { reply } = await ask([hook], []);
    expect(reply).toMatchObject({ kind: "failed", reason: expect.stringMatching(reason) });
  });

  it("leaves the caller's messages as they were", async () => {
    const before = JSON.stringify(messages);
    const { told } = await ask([emptying], ["It is 4."]);
    expect(told).toEqual([
      [
        ["system", "Be brief."],
        ["user", "other"],
      ],
    ]);
    expect(JSON.stringify(messages)).toBe(before);
  });
});
