import { expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { maxReplyChars } from "../../src/models/call/invoke.js";
import { countingTools } from "../support/counting-tools.js";
import { someOf } from "../support/rows.js";
import { serve } from "../testing/client.js";

const input = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const graphs = [
  { graph: "react", create: createReactGraph, limit: "outputTokens" },
  { graph: "rewoo", create: createRewooGraph, limit: "outputTokens" },
  { graph: "llm-compiler", create: createLlmCompilerGraph, limit: "outputTokens" },
  { graph: "plan-execute", create: createPlanExecuteGraph, limit: "tokens" },
];
it.each(someOf(graphs, 3))(
  "$graph ends where every reply is a stream of brackets that never close",
  async ({ create, limit }) => {
    const piece = '{"a":'.repeat(2_000);
    const giant = Array.from({ length: (3 * maxReplyChars) / piece.length }, () => piece);
    const server = await serve({ replies: () => ({ text: giant }) });
    const { runs, tools } = countingTools("price");
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const graph = create({ models: "openai:scripted", environment, tools });
    let last: { readonly outcome?: unknown; readonly answer?: string | undefined } = {};
    const stream = await graph.stream(input, { streamMode: ["messages", "values"] });
    for await (const [mode, chunk] of stream) if (mode === "values") last = chunk;
    expect(last.outcome).toMatchObject({ status: "limit", limit });
    expect(last.answer?.length).toBeGreaterThan(maxReplyChars);
    expect(last.answer?.length).toBeLessThan(2 * maxReplyChars);
    expect(runs).toEqual([]);
  },
);
