import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { startScriptedServer } from "../../src/testing/index.js";
import { createConsole, createDirectory } from "./console.js";

const question = "What is the square of a random number between 5 and 10 plus 3?";

let directory: Awaited<ReturnType<typeof createDirectory>>;

beforeAll(async () => {
  directory = await createDirectory();
});

afterAll(() => directory.remove());

const task = (id: string, ...after: readonly string[]) => ({ id, task: `Do ${id}.`, after });
const plan = (...steps: readonly object[]) => JSON.stringify({ steps });
const respond = (response: string) => JSON.stringify({ action: "respond", response });
const sum = { toolCalls: [{ name: "calculator", args: { expression: "1 + 2" } }] };

/** Lines without the times in them. */
function timeless(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.replaceAll(/\b\d+(?:\.\d)? m?s\b/g, "N ms"));
}

it("tasks are listed before they begin, and ticked with their calls as they end", async () => {
  const { run, written } = createConsole();
  expect(await run("plan-execute", question)).toBe(0);
  expect(
    timeless(written.shown)
      .slice(1)
      .map((line) => line.replaceAll(/\d+/g, "0")),
  ).toEqual([
    "☐ S0 random number between 0 and 0",
    "☐ S0 square of the result of S0",
    "☐ S0 the result of S0 + 0",
    "  ✓ S0: random_number(low: 0, high: 0) → 0 (N ms)",
    "✓ S0 random number between 0 and 0 → The result is 0. (N ms)",
    '  ✓ S0: calculator(expression: "(0) * (0)") → 0 (N ms)',
    "✓ S0 square of the result of S0 → The result is 0. (N ms)",
    '  ✓ S0: calculator(expression: "(0) + 0") → 0 (N ms)',
    "✓ S0 the result of S0 + 0 → The result is 0. (N ms)",
    "The result is 0.",
    "answered in N ms · 0 model calls · 0 tool calls",
  ]);
});

it("the answer of the last task is printed once, and --json has the tasks", async () => {
  const script = [plan({ ...task("S1"), final: true }), "It is 3."];
  await using server = await startScriptedServer({ replies: [...script, ...script] });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const plain = createConsole({ environment });
  expect(await plain.run("plan-execute", "1 + 2?", "--model", "openai:m")).toBe(0);
  expect(timeless(plain.written.shown).slice(0, 3)).toEqual([
    "☐ S1 Do S1.",
    "✓ S1 Do S1. (N ms)",
    "It is 3.",
  ]);
  const json = createConsole({ environment });
  expect(await json.run("plan-execute", "1 + 2?", "--model", "openai:m", "--json")).toBe(0);
  const printed = z.record(z.string(), z.unknown()).parse(JSON.parse(json.written.stdout));
  expect(printed).toMatchObject({
    graph: "plan-execute",
    answer: "It is 3.",
    steps: [{ kind: "task", id: "S1", task: "Do S1.", final: true }],
    observations: [{ callId: "S1", ok: true, content: "It is 3." }],
  });
  server.assertExhausted();
});

it("--review lets the person change the plan, and shows what is dropped", async () => {
  await using server = await startScriptedServer({
    replies: [plan(task("S1"), task("S2")), sum, "It is 3.", respond("Three.")],
  });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const { run, written } = createConsole({ environment, typed: ["drop S2", "y"] });
  expect(await run("plan-execute", "1 + 2?", "--model", "openai:m", "--review")).toBe(0);
  expect(written.person).toContain("! Carry out this plan?\n    S1 Do S1.\n    S2 Do S2.\n");
  expect(timeless(written.shown).slice(0, -1)).toEqual([
    "☐ S1 Do S1.",
    "☐ S2 Do S2.",
    "– S2 dropped: Do S2.",
    '  ✓ S1: calculator(expression: "1 + 2") → 3 (N ms)',
    "✓ S1 Do S1. → It is 3. (N ms)",
    "Three.",
  ]);
  server.assertExhausted();
});

it("a plan that nobody is there to review waits in its thread, with the command that goes on", async () => {
  await using server = await startScriptedServer({
    replies: [plan(task("S1")), "It is 3.", respond("Three.")],
  });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const thread = ["--checkpoint", directory.path("threads.db"), "--thread", "a"];
  const flags = ["--model", "openai:m", "--review", ...thread];
  const first = createConsole({ environment });
  expect(await first.run("plan-execute", "1 + 2?", ...flags)).toBe(4);
  expect(first.written.stdout).toContain("! Carry out this plan?\n    S1 Do S1.\n");
  expect(first.written.stderr).toContain(
    "plangraph plan-execute --model openai:m --review --thread a",
  );

  const { run, written } = createConsole({ environment, typed: ["y"] });
  expect(await run("plan-execute", ...flags)).toBe(0);
  expect(timeless(written.shown).slice(0, -1)).toEqual([
    "☐ S1 Do S1.",
    "✓ S1 Do S1. → It is 3. (N ms)",
    "Three.",
  ]);
  server.assertExhausted();
});

it("--replanning decides when the replanner is asked", async () => {
  const tasks = plan(task("S1"), { ...task("S2", "S1"), final: true });
  const again = JSON.stringify({ action: "continue", steps: [{ ...task("S2"), final: true }] });
  await using server = await startScriptedServer({ replies: [tasks, "One.", again, "Two."] });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const { run } = createConsole({ environment });
  const flags = ["--replanning", "always", "--planner", "openai:a", "--executor", "openai:b"];
  expect(await run("plan-execute", "Q?", ...flags, "--replanner", "openai:c")).toBe(0);
  expect(server.requests.map(({ body }) => body?.model)).toEqual(["a", "b", "c", "b"]);
  server.assertExhausted();
});

it.each([
  {
    name: "a flag that only another graph has",
    argv: ["react", "Q?", "--review"],
    problem:
      "plangraph: unknown option '--review': only rewoo, plan-execute, llm-compiler have it.\n",
  },
  {
    name: "a flag with a value that only another graph has",
    argv: ["rewoo", "Q?", "--replanning", "always"],
    problem: "plangraph: unknown option '--replanning': only plan-execute has it.\n",
  },
  {
    name: "a flag that no graph has",
    argv: ["react", "Q?", "--speed"],
    problem: "plangraph: unknown option '--speed'\n",
  },
  {
    name: "a policy that is none",
    argv: ["plan-execute", "Q?", "--replanning", "never"],
    problem:
      "plangraph: option '--replanning <NAME>' argument 'never' is invalid. Allowed choices are auto, on-failure, always.\n",
  },
])("$name is refused with what is wrong", async ({ argv, problem }) => {
  const { run, written } = createConsole();
  expect(await run(...argv)).toBe(2);
  expect(written.stderr).toBe(problem);
});
