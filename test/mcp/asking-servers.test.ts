import { MemorySaver } from "@langchain/langgraph";
import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, onTestFinished } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { mcpTools } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { startAskingHttp } from "../support/mcp-asking-http.js";
import { servedTo } from "../support/served-mcp.js";

it.each<{ name: string; answers: readonly ElicitResult[]; notes: readonly string[]; told: RegExp }>(
  [
    {
      name: "the answers, each in the server's own form",
      answers: [
        { action: "accept", content: { size: "l" } },
        { action: "accept", content: { count: 2 } },
      ],
      notes: [
        'Which size? accept {"size":"l"}',
        'Which size? accept {"size":"l"}',
        'How many? accept {"count":2}',
        "ordered tea",
      ],
      told: /^Done\.$/,
    },
    {
      name: "that the user declines",
      answers: [{ action: "decline" }],
      notes: ["Which size? decline"],
      told: /^Done\.$/,
    },
    {
      name: "nothing more when the user leaves",
      answers: [{ action: "cancel" }],
      notes: [],
      told: /the person did not answer.*The MCP server "shop" asks: Which size\?/,
    },
  ],
)("a server that a served graph uses is told $name", async ({ answers, notes, told }) => {
  const shop = await startAskingHttp();
  const { tools, close } = await mcpTools({ shop: { url: shop.url } });
  onTestFinished(close);
  const call = { toolCalls: [{ name: "order", args: { item: "tea" } }] };
  const models = scriptedModel((messages) => (messages.at(-1)?.type === "tool" ? "Done." : call));
  const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
  const left = [...answers];
  const forms: unknown[] = [];
  const agent = { graph, description: "Orders." };
  const served = await servedTo({ graphs: { agent } }, (_, form) => {
    forms.push(form);
    return left.shift() ?? { action: "cancel" };
  });
  const { content } = await served.call("agent", { question: "Tea?" });
  expect(content).toMatchObject([{ text: expect.stringMatching(told) }]);
  expect(forms[0]).toMatchObject({ properties: { size: { enum: ["s", "l"] } } });
  const lines = shop.notes.map((line) => line.replace("nobody: ", ""));
  expect(lines.filter((line) => !/cancel$|^order /.test(line))).toEqual(notes);
});
