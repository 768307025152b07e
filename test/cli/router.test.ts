import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { startScriptedServer } from "../../src/testing/index.js";
import { choice } from "../support/two-routes.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;

beforeAll(async () => {
  directory = await createDirectory();
});

afterAll(() => directory.remove());

it("a bare sum goes to mathematics without a model, and its plan is shown", async () => {
  const { run, written } = createConsole();
  expect(await run("router", "What is 3457 * 43216?")).toBe(0);
  const lines = written.shown
    .split("\n")
    .map((line) => line.replace(/ (\(|in )\d[\d.]* m?s.*$/, ""));
  expect(lines.slice(1)).toEqual([
    "⇒ mathematics: A rule of the route matches.",
    "☐ E1 calculator: 3457 * 43216",
    '✓ E1 calculator(expression: "3457 * 43216") → 149397712',
    "The result is 149397712.",
    "answered",
    "",
  ]);
});

it("each route has its own model and tools, and --json tells which one answered", async () => {
  await using server = await startScriptedServer({
    replies: [
      choice("general"),
      { toolCalls: [{ name: "calculator", args: { expression: "384400 / 299792.458" } }] },
      "About 1.28 seconds.",
    ],
  });
  const environment = {
    OPENAI_API_KEY: "x",
    OPENAI_BASE_URL: server.url,
    PLANGRAPH_ROUTER_MODEL: "openai:small",
    PLANGRAPH_PLANNER_MODEL: "openai:counting",
    PLANGRAPH_EXECUTOR_MODEL: "openai:knowing",
  };
  const { run, written } = createConsole({ environment });
  expect(await run("router", "How long does light take to the moon?", "--json")).toBe(0);
  expect(z.record(z.string(), z.unknown()).parse(JSON.parse(written.stdout))).toMatchObject({
    graph: "router",
    route: "general",
    answer: "About 1.28 seconds.",
    observations: [{ tool: "calculator", ok: true }],
  });
  expect(server.requests.map(({ body }) => body?.model)).toEqual(["small", "knowing", "knowing"]);
  const names = server.requests[1]?.body?.tools?.map((tool) => tool.function.name);
  expect(names).toEqual([
    "calculator",
    "compare",
    "random_number",
    "current_date",
    "ask_user",
    "hand_off",
  ]);
});

it("asks the person what an unclear question is about, in a later process too", async () => {
  const unclear = choice("unclear", { question: "Light or sums?" });
  await using server = await startScriptedServer({
    replies: [unclear, choice("general"), "Very fast."],
  });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const flags = ["--model", "openai:m", "--checkpoint", directory.path("t.db"), "--thread", "a"];
  const first = createConsole({ environment });
  expect(await first.run("router", "How?", ...flags)).toBe(4);
  expect(first.written.stdout).toContain("Light or sums?");
  const { run, written } = createConsole({ environment, typed: ["Light."] });
  expect(await run("router", ...flags)).toBe(0);
  expect(written.shown).toContain("⇒ general: It is about general.");
  expect(written.shown).toContain("Very fast.");
});

it("--router names the model that chooses, and no other graph takes it", async () => {
  await using server = await startScriptedServer({ replies: [choice("general"), "Far away."] });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const flags = ["--router", "openai:small", "--executor", "openai:knowing"] as const;
  const { run, written } = createConsole({ environment });
  expect(await run("router", "How far is the moon?", ...flags)).toBe(0);
  expect(server.requests.map(({ body }) => body)).toMatchObject([
    { model: "small" },
    { model: "knowing" },
  ]);
  expect(await run("react", "How far is the moon?", ...flags)).toBe(2);
  expect(written.stderr).toContain("--router");
});
