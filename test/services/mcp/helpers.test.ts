import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { mcpTools, type McpTools } from "../../../src/services/index.js";
import { attachedPolicy } from "../../../src/tools/policy.js";
import { bundledProgram } from "../../support/bundled-program.js";
import { toolRun } from "../../support/tool-run.js";

const server = await bundledProgram("mcp-server-child.ts");
const child = (name: string, program = server) => ({
  command: process.execPath,
  args: [program, name],
});

const changed = vi.fn<(server: string) => void>();
let shop: McpTools;
beforeAll(async () => {
  shop = await mcpTools(
    { shop: { ...child("shop"), trustHints: true } },
    { helpers: ["resources", "prompts"], onToolsChanged: changed },
  );
}, 60_000);
afterAll(() => shop.close());

describe("tools for what a server offers besides tools", () => {
  it.each([
    { tool: "list_resources", args: {}, told: /\npets:\/\/list \(text\/csv\): list, All pets\n/ },
    {
      tool: "read_resource",
      args: { uri: "pets://list" },
      told: /\npets:\/\/list \(text\/csv\):\nRex,dog\n/,
    },
    { tool: "list_prompts", args: {}, told: /\npraise\(pet, how\?\): Praises a pet\.\n/ },
    {
      tool: "get_prompt",
      args: { name: "praise", arguments: { pet: "Rex" } },
      told: /\nuser:\nPraise Rex\.\n/,
    },
  ])("$tool reads it, as untrusted text", async ({ tool, args, told }) => {
    const observed = await toolRun(shop.tools).observe(tool, args);
    expect(observed).toMatchObject({ ok: true, trust: "untrusted" });
    expect(observed.content).toMatch(told);
  });

  it("tell what the server refuses", async () => {
    const { observe } = toolRun(shop.tools);
    expect(await observe("read_resource", { uri: "pets://no" })).toMatchObject({
      ok: false,
      attempts: 1,
      error: { kind: "rejected", message: expect.stringContaining("pets://no") },
    });
  });

  it("have the policy of a tool that reads", () => {
    const list = shop.tools.find(({ name }) => name === "list_resources");
    expect(attachedPolicy(list ?? {})).toEqual({ effect: "read", trust: "untrusted" });
  });

  it("are not there unasked, or for a server without any", async () => {
    const unasked = await mcpTools({ shop: child("shop") });
    const without = await mcpTools(
      { media: child("", await bundledProgram("mcp-media-child.ts")) },
      { helpers: ["resources", "prompts"] },
    );
    const names = [...unasked.tools, ...without.tools].map(({ name }) => name);
    await Promise.all([unasked.close(), without.close()]);
    expect(names.filter((name) => /resource$|resources|prompt/.test(name))).toEqual([
      "image_resource",
      "text_resource",
      "blob_resource",
      "empty_resource",
    ]);
  });
});

it("a server that changes its tools is reported, and reload gives the new ones", async () => {
  const before = shop.tools.map(({ name }) => name);
  changed.mockClear();
  const { observe } = toolRun(shop.tools);
  await observe("shop_grow", {}, { isCommitted: true });
  await vi.waitFor(() => {
    expect(changed).toHaveBeenCalledWith("shop");
  });
  const tools = await shop.reload();
  expect(shop.tools.map(({ name }) => name)).toEqual(before);
  const added = tools.map(({ name }) => name).filter((name) => !before.includes(name));
  expect(added).toEqual(["shop_new"]);
  const { observe: again } = toolRun(tools);
  expect(await again("shop_new", {}, { isCommitted: true })).toMatchObject({ value: "New." });
});
