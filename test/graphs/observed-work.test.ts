import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:http";

import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, createRewooGraph, type Observer } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { planText, stepOf } from "../support/plans.js";
import { watching } from "../support/watching.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const inOrder = (left: string, right: string) => left.localeCompare(right);

/** A plan with two prices and a step that reasons on them. */
function rewoo(observers: readonly Observer[]) {
  const reasoning = { tool: "llm", args: { prompt: "Add {{E1}}, {{E2}}" } };
  const plan = planText(stepOf("price", "tea"), stepOf("price", "milk"), reasoning);
  const models = scriptedModel([plan, "Three.", "It is three."]);
  const { tools } = countingTools("price");
  return createRewooGraph({ models, tools, observers });
}

describe("a model call", () => {
  it("has what went in, with system prompt and tools", async () => {
    const { observer, inputs } = watching();
    const { tools } = countingTools("price");
    const models = scriptedModel([call("tea"), "3 euros."]);
    const systemPrompt = "You sell tea.";
    await createReactGraph({ models, tools, systemPrompt, observers: [observer] }).invoke(question);
    expect(inputs).toHaveLength(2);
    expect(inputs[1]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
    expect(inputs[1]?.messages[0]?.text).toContain("You sell tea.");
    expect(inputs[1]?.messages[2]?.toolCalls).toMatchObject([
      { name: "price", args: { item: "tea" } },
    ]);
    expect(inputs[1]?.messages[3]).toMatchObject({ text: "price of tea" });
    expect(inputs[1]?.tools).toMatchObject([{ function: { name: "price" } }]);
  });

  it("has the form that a plan is asked for", async () => {
    const { observer, inputs } = watching();
    await rewoo([observer]).invoke(question);
    expect(JSON.stringify(inputs[0])).toContain("steps");
  });
});

/** What a tool's server saw of the context that is active around a call. */
describe("work runs inside an observer's context", () => {
  it("of a tool's call, and of the model call in it", async () => {
    const active = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const observer: Observer = {
      around: (work, run) =>
        active.run(work.type === "tool" ? `${active.getStore()}>${work.callId}` : work.type, run),
    };
    const models = scriptedModel((messages) => {
      seen.push(`model in ${active.getStore()}`);
      return messages.at(-1)?.type === "tool" ? "Done." : call("tea");
    });
    const price = tool(
      async () => {
        await Promise.resolve();
        seen.push(`tool in ${active.getStore()?.replace(/\w+$/, "…")}`);
        return "3";
      },
      { name: "price", description: "Prices.", schema: z.object({ item: z.string() }) },
    );
    const graph = createReactGraph({ models, tools: [price], observers: [observer] });
    await graph.invoke(question);
    expect(seen).toEqual(["model in model", "tool in undefined>…", "model in model"]);
  });

  it("and requests over HTTP carry it", async () => {
    const headers: unknown[] = [];
    const server = createServer((request, response) => {
      headers.push(request.headers["x-span"]);
      response.end("3");
    });
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const active = new AsyncLocalStorage<string>();
    const observer: Observer = {
      around: (work, run) => active.run(work.type === "tool" ? work.callId : "", run),
    };
    const price = tool(
      async () => {
        const asked = await fetch(`http://127.0.0.1:${port}`, {
          headers: { "x-span": active.getStore() ?? "none" },
        });
        return asked.text();
      },
      { name: "price", description: "Prices.", schema: z.object({ item: z.string() }) },
    );
    const plan = planText(stepOf("price", "tea"), stepOf("price", "milk"));
    const models = scriptedModel([plan, "Done."]);
    await createRewooGraph({ models, tools: [price], observers: [observer] }).invoke(question);
    server.close();
    expect(headers.map(String).toSorted(inOrder)).toEqual(["E1", "E2"]);
  });
});

it("tags model calls and tools for tracers of LangChain with the role and the step", async () => {
  const tags: string[][] = [];
  const callbacks = [
    {
      handleChatModelStart: (...given: unknown[]) => void tags.push(tagsIn(given[5])),
      handleToolStart: (...given: unknown[]) => void tags.push(tagsIn(given[4])),
    },
  ];
  await rewoo([]).invoke(question, { callbacks });
  expect(tags.map((each) => each.join(" ")).toSorted(inOrder)).toEqual(
    [
      "role:planner",
      "step:E1",
      "step:E2",
      "step:E3",
      "role:executor step:E3",
      "role:solver",
    ].toSorted(inOrder),
  );
});

function tagsIn(given: unknown): string[] {
  const tags: unknown[] = Array.isArray(given) ? given : [];
  const ours = tags.filter((tag) => typeof tag === "string");
  return [...new Set(ours.filter((tag) => /^(?:role|step):/.test(tag)))].toSorted(inOrder);
}
