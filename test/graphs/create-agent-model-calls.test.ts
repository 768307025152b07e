import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  createMiddleware,
  dynamicSystemPromptMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  type WrapModelCallHook,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { scriptedModel } from "../../src/testing/index.js";
import { asks, compare, type Scenario } from "../support/create-agent.js";
import { call, made, priceTool } from "../support/middleware.js";

const stock = tool(() => "12", {
  name: "stock",
  description: "Gives the stock.",
  schema: z.object({}),
});

const wrapping = (name: string, wrapModelCall: WrapModelCallHook) =>
  createMiddleware({ name, wrapModelCall });

/** One turn without tools around which the hooks run. */
function turn(...hooks: readonly WrapModelCallHook[]): Scenario["make"] {
  return () => ({
    replies: ["3 euros.", "4 euros.", "5 euros."],
    tools: [priceTool().price, stock],
    middleware: hooks.map((hook, at) => wrapping(`hook ${at}`, hook)),
  });
}

const answer = (text: string) => ({
  runs: [{ messages: expect.arrayContaining([{ type: "ai", content: text }]) }],
});

describe("wrapModelCall as createAgent runs it", () => {
  it.each<Scenario>([
    {
      name: "what the request holds",
      make: () => {
        const seen: unknown[] = [];
        const hook: WrapModelCallHook = (request, handler) => {
          const { systemPrompt, systemMessage, messages, tools, toolChoice, modelSettings } =
            request;
          seen.push({
            systemPrompt: systemPrompt?.replace(/\n\nToday is [^)]*\)\./, ""),
            isMessage: SystemMessage.isInstance(systemMessage),
            messages: messages.map(({ type, text }) => [type, text]),
            tools: tools.map((each) => Reflect.get(each, "name")),
            toolChoice,
            modelSettings,
            model: typeof request.model,
          });
          return handler(request);
        };
        return { ...turn(hook)(), seen };
      },
      shows: { seen: [{ systemPrompt: "You help.", tools: ["price", "stock"] }] },
    },
    {
      name: "another system prompt",
      make: turn((request, handler) => handler({ ...request, systemPrompt: "Be kind." })),
      shows: { requests: [{ system: "Be kind." }] },
    },
    {
      name: "another system message",
      make: turn((request, handler) =>
        handler({ ...request, systemMessage: new SystemMessage("Be kind.") }),
      ),
      shows: { requests: [{ system: "Be kind." }] },
    },
    {
      name: "a system message that two hooks add to",
      make: turn(
        (request, handler) =>
          handler({ ...request, systemMessage: request.systemMessage.concat("\nOne.") }),
        (request, handler) =>
          handler({ ...request, systemMessage: request.systemMessage.concat("\nTwo.") }),
      ),
      shows: { requests: [{ system: "You help.\nOne.\nTwo." }] },
    },
    {
      name: "fewer tools",
      make: turn((request, handler) => handler({ ...request, tools: [stock] })),
      shows: { requests: [{ tools: ["stock"] }] },
    },
    {
      name: "no tools",
      make: turn((request, handler) => handler({ ...request, tools: [] })),
      shows: { requests: [{ tools: [] }] },
    },
    {
      name: "a tool choice",
      make: turn((request, handler) => handler({ ...request, toolChoice: "required" })),
      shows: { requests: [{ tool_choice: "required" }] },
    },
    {
      name: "model settings",
      make: turn((request, handler) => handler({ ...request, modelSettings: { stop: ["END"] } })),
      shows: { requests: [{ stop: ["END"] }] },
    },
    {
      name: "other messages, which stay out of the state",
      make: turn((request, handler) =>
        handler({ ...request, messages: [new HumanMessage("And milk?")] }),
      ),
      shows: { requests: [{ messages: [{ type: "human", content: "And milk?" }] }] },
    },
    {
      name: "one more message at the end",
      make: turn((request, handler) =>
        handler({ ...request, messages: [...request.messages, new HumanMessage("Be quick.")] }),
      ),
      shows: { requests: [{ messages: [{}, { content: "Be quick." }] }] },
    },
    {
      name: "an answer without the model",
      make: turn(() => new AIMessage("From the cache.")),
      shows: { ...asks(0), ...answer("From the cache.") },
    },
    {
      name: "a call without the model",
      make: () => {
        const { price } = priceTool();
        let calls = 0;
        const hook: WrapModelCallHook = (request, handler) => {
          calls += 1;
          if (calls > 1) return handler(request);
          const args = { item: "tea" };
          return new AIMessage({ content: "", tool_calls: [{ name: "price", args, id: "h1" }] });
        };
        return { replies: ["3 euros."], tools: [price], middleware: [wrapping("own", hook)] };
      },
      shows: asks(1),
    },
    {
      name: "another text of the reply",
      make: turn(async (request, handler) => {
        const reply = await handler(request);
        return new AIMessage(`${reply.text} (checked)`);
      }),
      shows: answer("3 euros. (checked)"),
    },
    {
      name: "asking twice",
      make: turn(async (request, handler) => {
        await handler(request);
        return handler(request);
      }),
      shows: { ...asks(2), ...answer("4 euros.") },
    },
    {
      name: "asking again after an error",
      make: () => ({
        replies: [new Error("asleep"), "3 euros."],
        middleware: [
          wrapping("retrying", async (request, handler) => {
            try {
              return await handler(request);
            } catch {
              return handler(request);
            }
          }),
        ],
      }),
      shows: { ...asks(2), ...answer("3 euros.") },
    },
    {
      name: "an error as an answer, the outer hook sees it",
      make: () => ({
        replies: [new Error("asleep")],
        middleware: [
          wrapping("outer", async (request, handler) => {
            const reply = await handler(request);
            return new AIMessage(`Outer: ${reply.text}`);
          }),
          wrapping("inner", async (request, handler) => {
            try {
              return await handler(request);
            } catch (error) {
              return new AIMessage(error instanceof Error ? error.message : "?");
            }
          }),
        ],
      }),
      shows: { ...asks(1), ...answer("Outer: asleep") },
    },
    {
      name: "a hook that throws",
      make: turn(() => {
        throw new Error("no luck");
      }),
      shows: { ...asks(0), runs: [{ error: /no luck/ }] },
    },
    {
      name: "another model",
      make: () => {
        const seen: unknown[] = [];
        const other = scriptedModel([call("tea", "c1"), "Other."]);
        const hook: WrapModelCallHook = async (request, handler) => {
          const reply = await handler({ ...request, model: other });
          seen.push(other.calls.at(-1)?.tools.map((each) => each.function.name));
          return reply;
        };
        const middleware = [wrapping("own", hook)];
        return { replies: [], tools: [priceTool().price], middleware, seen };
      },
      shows: { ...asks(0), seen: [["price"], ["price"]] },
    },
    {
      name: "a dynamic system prompt from state and context",
      make: () => ({
        replies: [call("tea", "c1"), "3 euros."],
        tools: [priceTool().price],
        contextSchema: z.object({ user: z.string() }),
        middleware: [
          dynamicSystemPromptMiddleware<{ user: string }>(
            ({ messages }, { context }) => `${messages.length} for ${context.user}.`,
          ),
        ],
      }),
      context: { user: "Ann" },
      shows: {
        requests: [{ system: "You help.\n\n1 for Ann." }, { system: "You help.\n\n3 for Ann." }],
      },
    },
    {
      name: "LangChain's retries",
      make: () => ({
        replies: [new Error("asleep"), new Error("asleep"), "3 euros."],
        middleware: [
          made(modelRetryMiddleware, { maxRetries: 2, initialDelayMs: 1, jitter: false }),
        ],
      }),
      shows: { ...asks(3), ...answer("3 euros.") },
    },
    {
      name: "LangChain's retries, used up, with the error as the answer",
      make: () => ({
        replies: [new Error("asleep"), new Error("asleep")],
        middleware: [
          made(modelRetryMiddleware, { maxRetries: 1, initialDelayMs: 1, jitter: false }),
        ],
      }),
      shows: asks(2),
    },
    {
      name: "LangChain's retries, used up, that throw",
      make: () => ({
        replies: [new Error("asleep"), new Error("asleep")],
        middleware: [
          made(modelRetryMiddleware, { maxRetries: 1, initialDelayMs: 1, onFailure: "error" }),
        ],
      }),
      shows: { ...asks(2), runs: [{ error: /asleep/ }] },
    },
    {
      name: "LangChain's retries of other errors only",
      make: () => ({
        replies: [new Error("broken"), "Never asked."],
        middleware: [
          made(modelRetryMiddleware, {
            maxRetries: 2,
            retryOn: (error: Error) => error.name === "RangeError",
            onFailure: "error",
          }),
        ],
      }),
      shows: { ...asks(1), runs: [{ error: /broken/ }] },
    },
    {
      name: "LangChain's fallback models",
      make: () => {
        const first = scriptedModel([new Error("asleep, too")]);
        const second = scriptedModel(["From the second."]);
        const middleware = [modelFallbackMiddleware(first, second)];
        return { replies: [new Error("asleep")], middleware };
      },
      shows: { ...asks(1), ...answer("From the second.") },
    },
    {
      name: "LangChain's fallback models, used up",
      make: () => ({
        replies: [new Error("asleep")],
        middleware: [modelFallbackMiddleware(scriptedModel([new Error("asleep, too")]))],
      }),
      shows: { ...asks(1), runs: [{ error: /asleep, too/ }] },
    },
  ])("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
