import { afterAll, beforeAll, expect, it } from "vitest";

import { createReactGraph } from "../../../src/index.js";
import { mcpTools, type McpTools } from "../../../src/services/index.js";
import { startScriptedServer } from "../../../src/testing/index.js";
import { mediaResults, png } from "../../support/mcp-media.js";
import { bundledProgram } from "../../support/bundled-program.js";

let media: McpTools;
beforeAll(async () => {
  const args = [await bundledProgram("mcp-media-child.ts")];
  media = await mcpTools({ media: { command: process.execPath, args } });
}, 60_000);
afterAll(() => media.close());

it.each(mediaResults)(
  "$name of a server reaches a model that reads images, or is told as lost",
  async ({ name, told, images }) => {
    await using server = await startScriptedServer({
      replies: [{ toolCalls: [{ name, args: {} }] }, "Done."],
      strictPairing: true,
    });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const graph = createReactGraph({ models: "openai:sighted", environment, tools: media.tools });
    const { observations, outcome } = await graph.invoke({
      messages: [{ role: "user", content: "What is it?" }],
    });
    const sent = server.requests[1]?.body?.messages ?? [];
    const result = sent.find(({ role }) => role === "tool");
    expect(result?.content).toMatch(told);
    expect(JSON.stringify(sent).split(png).length - 1).toBe(images);
    expect(observations).toMatchObject([{ tool: name, attempts: 1 }]);
    expect(observations[0]?.content).not.toBe("");
    expect(outcome?.status).toBe("answered");
  },
);
