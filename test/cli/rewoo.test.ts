import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { startScriptedServer } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { createConsole, createDirectory, toolModule } from "./console.js";
import { createScreen } from "./screen.js";

const question = "What is the square of a random number between 5 and 10?";

let directory: Awaited<ReturnType<typeof createDirectory>>;
let tools: string;

beforeAll(async () => {
  directory = await createDirectory();
  tools = await directory.write("tools.mjs", toolModule);
});

afterAll(() => directory.remove());

it("a plan is listed before its steps, which are ticked as they end", async () => {
  const { run, written } = createConsole();
  expect(await run("rewoo", question)).toBe(0);
  const [, one, two, three, four, answer, summary, ...rest] = written.shown.split("\n");
  expect([one, two]).toEqual([
    "☐ E1 random_number: random number between 5 and 10",
    "☐ E2 calculator: square of the result of E1",
  ]);
  expect(three).toMatch(/^✓ E1 random_number\(low: 5, high: 10\) → \d+ \(\d+ ms\)$/);
  expect(four).toMatch(/^✓ E2 calculator\(expression: "(\d+) \* \1"\) → \d+ \(\d+ ms\)$/);
  expect(answer).toMatch(/^The result is \d+\.$/);
  expect(summary).toMatch(/^answered in [\d.]+ m?s · 2 model calls · 2 tool calls$/);
  expect(rest).toEqual([""]);
});

it("--json has the plan with what came of its steps, and progress on the standard error", async () => {
  const { run, written } = createConsole();
  expect(await run("rewoo", question, "--json")).toBe(0);
  const printed = z.record(z.string(), z.unknown()).parse(JSON.parse(written.stdout));
  expect(Object.keys(printed)).toEqual([
    "graph",
    "answer",
    "outcome",
    "usage",
    "steps",
    "observations",
  ]);
  expect(printed).toMatchObject({
    graph: "rewoo",
    steps: [
      { id: "E1", tool: "random_number", args: { low: 5, high: 10 } },
      { id: "E2", tool: "calculator", args: { expression: "{{E1}} * {{E1}}" } },
    ],
    observations: [
      { callId: "E1", ok: true },
      { callId: "E2", ok: true },
    ],
  });
  expect(written.stderr).toContain("☐ E1 random_number");
  expect(written.stderr).toContain("✓ E2 calculator");
});

it("on a terminal the plan fills in, and goes on below what a person was asked", async () => {
  const plan = planText(
    { tool: "echo", args: { text: "dear" } },
    { tool: "send", args: { to: "{{E1}}" } },
    { tool: "echo", args: { text: "{{E2}}" } },
  );
  await using server = await startScriptedServer({
    replies: [plan, { text: ["It is ", "sent."] }],
  });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url, NO_COLOR: "1" };
  const screen = createScreen({ columns: 100 });
  const { io, run } = createConsole({ environment, tty: true, typed: ["yes"] });
  Object.assign(io, { stdout: screen.out, person: { ...io.person, out: screen.out } });
  expect(await run("rewoo", "Send it.", "--model", "openai:m", "--tools", tools)).toBe(0);
  const lines = screen.lines();
  const at = lines.findIndex((line) => line.includes("Sends a letter."));
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^✓ E1 echo\(text: "dear"\) → echo dear \(\d+ ms\)$/),
    "☐ E2 send: Next.",
    "☐ E3 echo: Next.",
  ]);
  expect(at).toBeGreaterThanOrEqual(3);
  expect(lines.slice(-4)).toEqual([
    expect.stringMatching(/^✓ E2 send\(to: "echo dear"\) → sent to echo dear \(\d+ ms\)$/),
    expect.stringMatching(
      /^✓ E3 echo\(text: "sent to echo dear"\) → echo sent to echo dear \(\d+ ms\)$/,
    ),
    "It is sent.",
    expect.stringMatching(/^answered in .* 2 model calls · 3 tool calls/),
  ]);
});

it("a plan that waits in a thread is shown with what is done when it goes on", async () => {
  const plan = planText(
    { tool: "echo", args: { text: "dear" } },
    { tool: "send", args: { to: "{{E1}}" } },
    { tool: "echo", args: { text: "{{E2}}" } },
  );
  await using server = await startScriptedServer({ replies: [plan, "It is sent."] });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const thread = ["--checkpoint", directory.path("threads.db"), "--thread", "a"];
  const flags = ["--model", "openai:m", "--tools", tools, ...thread];
  expect(await createConsole({ environment }).run("rewoo", "Send it.", ...flags)).toBe(4);

  const { run, written } = createConsole({ environment, typed: ["y"] });
  expect(await run("rewoo", ...flags)).toBe(0);
  const lines = written.shown.split("\n").map((line) => line.replace(/ \(.* ms\)$/, ""));
  expect(lines.slice(0, 3)).toEqual(["☐ E1 echo: Next.", "☐ E2 send: Next.", "☐ E3 echo: Next."]);
  expect(lines.filter((line) => line.startsWith("✓")).toSorted()).toEqual([
    '✓ E1 echo(text: "dear") → echo dear',
    '✓ E2 send(to: "echo dear") → sent to echo dear',
    '✓ E3 echo(text: "sent to echo dear") → echo sent to echo dear',
  ]);
  expect(lines).toContain("It is sent.");
});

it("--review shows a plan of calls before any of them runs", async () => {
  const replies = [
    planText({ id: "E1", tool: "echo", args: { text: "a" } }),
    planText({ id: "E1", tool: "echo", args: { text: "b" } }),
    "Done.",
  ];
  await using server = await startScriptedServer({ replies });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const { run, written } = createConsole({ environment, typed: ["n say b", "y"] });
  const flags = ["--model", "openai:m", "--tools", tools, "--review"];
  expect(await run("rewoo", "Echo.", ...flags)).toBe(0);
  const hint = "y = run it, n [reason] = plan again, e = edit it as JSON";
  expect(written.person.trimEnd().split("\n")).toEqual([
    "! Carry out this plan?",
    '    E1 Next.: echo {"text":"a"}',
    hint,
    "! Carry out this plan?",
    '    E1 Next.: echo {"text":"b"}',
    hint,
  ]);
  expect(written.shown).toContain('echo(text: "b")');
  expect(written.shown).not.toContain('echo(text: "a")');
  server.assertExhausted();
});
