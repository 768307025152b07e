import { expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { maxReplyChars } from "../../src/models/call/bounds.js";
import { countingTools } from "../support/counting-tools.js";
import { someOf } from "../support/rows.js";
import { serve } from "../testing/client.js";

const input = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
// Without a plan a call is wanted first: a text in its place is stopped early, and the model is asked for JSON.
const unusable = { status: "failed", reason: expect.stringContaining("gave no usable reply") };
const graphs = [
  { graph: "react", create: createReactGraph, outcome: { limit: "outputTokens" }, isTold: true },
  { graph: "rewoo", create: createRewooGraph, outcome: unusable, isTold: false },
  { graph: "llm-compiler", create: createLlmCompilerGraph, outcome: unusable, isTold: false },
  {
    graph: "plan-execute",
    create: createPlanExecuteGraph,
    outcome: { limit: "tokens" },
    isTold: true,
  },
];
it.each(someOf(graphs, 3))(
  "$graph ends where every reply is a stream of brackets that never close",
  async ({ create, outcome, isTold }) => {
    // The same name again and again would be a loop.
    const piece = Array.from({ length: 1_000 }, (_, at) => `{"a${1_000 + at}":`).join("");
    const giant = Array.from({ length: (3 * maxReplyChars) / piece.length }, () => piece);
    const server = await serve({ replies: () => ({ text: giant }) });
    const { runs, tools } = countingTools("price");
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const graph = create({ models: "openai:scripted", environment, tools });
    let last: { readonly outcome?: unknown; readonly answer?: string | undefined } = {};
    const stream = await graph.stream(input, { streamMode: ["messages", "values"] });
    for await (const [mode, chunk] of stream) if (mode === "values") last = chunk;
    expect(last.outcome).toMatchObject(outcome);
    const chars = last.answer?.length ?? 0;
    expect(chars > maxReplyChars).toBe(isTold);
    expect(chars).toBeLessThan(2 * maxReplyChars);
    expect(runs).toEqual([]);
  },
);
