import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, searchable } from "../../src/index.js";
import { scriptedModel, startScriptedServer } from "../../src/testing/index.js";

const many = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    tool(() => "", { name: `tool_${at}`, description: `Does ${at}.`, schema: z.object({}) }),
  );
const question = { messages: [{ role: "user", content: "Hello" }] };

describe("more tools than a model takes", () => {
  it("end the run before OpenAI is asked", async () => {
    const asked: unknown[] = [];
    const model = new ChatOpenAI({
      model: "gpt-5-mini",
      apiKey: "not-a-key",
      configuration: {
        fetch: async (url) => {
          asked.push(url);
          return new Response("{}", { status: 500 });
        },
      },
    });
    const graph = createReactGraph({ models: model, tools: many(129) });
    const { outcome } = await graph.invoke(question);
    expect(outcome?.status).toBe("failed");
    expect(outcome?.reason).toContain("129 tools, and its server takes at most 128 in a request");
    expect(outcome?.reason).toContain("searchable(tools)");
    expect(asked).toEqual([]);
  });

  it("go to another server with the same interface", async () => {
    await using server = await startScriptedServer({ replies: ["Hello."] });
    const graph = createReactGraph({
      models: "openai:scripted",
      tools: many(129),
      environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
    });
    expect((await graph.invoke(question)).answer).toBe("Hello.");
  });

  it("end the run where they alone are longer than its context", async () => {
    const models = scriptedModel(["Hello."]);
    const graph = createReactGraph({ models, tools: many(100), contextTokens: 1_000 });
    const { outcome } = await graph.invoke(question);
    expect(outcome?.reason).toMatch(/100 tools, and they take about \d+ tokens of its 1000/);
    expect(models.calls).toHaveLength(0);
  });

  it("are fewer once they are searchable", async () => {
    const models = scriptedModel(["Hello."]);
    const tools = searchable(many(100));
    const graph = createReactGraph({ models, tools, contextTokens: 1_000 });
    expect((await graph.invoke(question)).answer).toBe("Hello.");
  });
});
