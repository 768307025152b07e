import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DynamicStructuredTool } from "@langchain/core/tools";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { type AgentEvent, createReactGraph } from "../../../src/index.js";
import { mcpTools, type McpTools } from "../../../src/services/index.js";
import { scriptedModel } from "../../../src/testing/index.js";
import { toolRun } from "../../support/tool-run.js";
import { bundledProgram } from "../../support/bundled-program.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-"));
const file = join(folder, "notes");
let mortal: McpTools;
beforeAll(async () => {
  const args = [await bundledProgram("mcp-mortal-child.ts"), file];
  mortal = await mcpTools({ mortal: { command: process.execPath, args, trustHints: true } });
}, 60_000);
afterAll(async () => {
  await mortal.close();
  rmSync(folder, { recursive: true });
});
const notes = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);

it("the progress of a call becomes events of its run before its end, not one for each of many reports", async () => {
  const models = scriptedModel([{ toolCalls: [{ id: "s1", name: "slow", args: {} }] }, "Done."]);
  const graph = createReactGraph({ models, tools: mortal.tools });
  const stream: AsyncIterable<AgentEvent> = await graph.stream(
    { messages: [{ role: "user", content: "Read." }] },
    { streamMode: "custom" },
  );
  const seen: object[] = [];
  for await (const event of stream) {
    const { type } = event;
    if (type === "progress") {
      const { tool, callId, progress, total, content } = event;
      seen.push({ tool, callId, progress, total, text: content?.text });
    } else if (type === "tool_finished") seen.push({ type });
  }
  const told = { tool: "slow", callId: "s1", total: 2 };
  expect(seen).toEqual([
    { ...told, progress: 0.1, text: "(0.1 of 2)" },
    { ...told, progress: 1.1, text: "(1.1 of 2)" },
    { ...told, progress: 2, text: "Reading (2 of 2)" },
    { type: "tool_finished" },
  ]);
});

it("a call outside a run asks for no progress", async () => {
  const slow = mortal.tools.find(({ name }) => name === "slow");
  expect(await slow?.invoke({})).toBe("Read.");
});

it("a cancelled run cancels the call at its server, which goes on to serve", async () => {
  writeFileSync(`${file}.hang`, "");
  const abort = new AbortController();
  const { observe } = toolRun(mortal.tools, {}, { signal: abort.signal });
  const before = notes().filter((note) => note === "slow").length;
  const call = observe("slow", {});
  await vi.waitFor(() => {
    expect(notes().filter((note) => note === "slow")).toHaveLength(before + 1);
  });
  abort.abort();
  expect(await call).toMatchObject({ ok: false, error: { kind: "cancelled" } });
  await vi.waitFor(() => {
    expect(notes()).toContain("cancelled");
  });
  rmSync(`${file}.hang`);
  const { observe: again } = toolRun(mortal.tools);
  expect(await again("look", {})).toMatchObject({ ok: true, attempts: 1 });
  expect(notes().filter((note) => note.startsWith("start"))).toHaveLength(1);
});

it("closed connections are not opened again", async () => {
  const args = [await bundledProgram("mcp-mortal-child.ts"), join(folder, "other")];
  const { tools, close } = await mcpTools({ other: { command: process.execPath, args } });
  await close();
  const { observe } = toolRun(tools);
  expect(await observe("look", {}, { isCommitted: true })).toMatchObject({
    ok: false,
    error: { kind: "unavailable", message: expect.stringContaining("the connection was closed") },
  });
  expect(tools[0]).toBeInstanceOf(DynamicStructuredTool);
});
