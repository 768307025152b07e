import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { errorStatus, outcomeStatus } from "../../src/cli/io.js";
import { PlangraphError } from "../../src/errors.js";
import { fault, type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { createConsole, createDirectory, toolModule } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
let tools: string;
let server: ScriptedServer | undefined;

beforeAll(async () => {
  directory = await createDirectory();
  tools = await directory.write("tools.mjs", toolModule);
});

afterAll(() => directory.remove());

/** A console whose `openai:` models answer from a script. */
async function withReplies(
  replies: Parameters<typeof startScriptedServer>[0]["replies"],
  options: Parameters<typeof createConsole>[0] = {},
) {
  await server?.close();
  server = await startScriptedServer({ replies });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  return createConsole({ ...options, environment: { ...environment, ...options.environment } });
}

afterAll(async () => server?.close());

const offline =
  /^Answers come from a deterministic offline model, not a neural network\. .*OPENAI_API_KEY.*--model openai:NAME.*PLANGRAPH_MODEL.*ollama:NAME\.$/;

it("a question is answered with its steps before and its summary behind", async () => {
  const { run, written } = createConsole();
  expect(await run("react", "What is 3457 * 43216?")).toBe(0);
  const [notice, step, answer, summary, ...rest] = written.shown.split("\n");
  expect(step).toMatch(/^calculator\(expression: "3457 \* 43216"\) → 149397712 \(\d+ ms\)$/);
  expect(answer).toBe("The result is 149397712.");
  expect(summary).toMatch(/^answered in \d+ ms · 2 model calls · 1 tool call$/);
  expect(rest).toEqual([""]);
  expect(notice).toMatch(offline);
  expect(written.stdout).toBe(`${answer}\n`);
});

it.each([
  { name: "a question", piped: "What is 17 * 23?\n", status: 0, told: /391/ },
  { name: "nothing", piped: " \n", status: 2, told: /The question is empty/ },
])("- reads $name from the standard input", async ({ piped, status, told }) => {
  const { run, written } = createConsole({ piped });
  expect(await run("react", "-")).toBe(status);
  expect(written.stdout + written.stderr).toMatch(told);
});

it("a wrong service definition is refused with every line of what is wrong with it", async () => {
  const file = await directory.write(
    "bad.service.json",
    JSON.stringify({ name: "a b", request: 3 }),
  );
  const { run, written } = createConsole();

  expect(await run("react", "Look.", "--services", file)).toBe(2);
  const [first, ...rest] = written.stderr.trimEnd().split("\n");
  expect(first).toMatch(/^plangraph: .*bad\.service\.json is not a service definition:$/);
  expect(rest.length).toBeGreaterThan(2);
  expect(rest.join("\n")).toMatch(/description.*\n(.*\n)*.*request/);
});

it("--quiet leaves the answer alone", async () => {
  const { run, written } = createConsole();
  expect(await run("react", "--quiet", "What is 2 + 2?")).toBe(0);
  expect(written.stdout).toBe("The result is 4.\n");
});

it("--json prints one object, with progress on the standard error", async () => {
  const { run, written } = createConsole();
  expect(await run("react", "What is 2 + 2?", "--json")).toBe(0);
  const printed: unknown = JSON.parse(written.stdout);
  expect(printed).toMatchObject({
    graph: "react",
    answer: "The result is 4.",
    outcome: { status: "answered" },
    usage: { modelCalls: 2, toolCalls: 1 },
    observations: [{ tool: "calculator", ok: true, content: "4" }],
  });
  const keys = ["graph", "answer", "outcome", "usage", "observations"];
  expect(Object.keys(z.record(z.string(), z.unknown()).parse(printed))).toEqual(keys);
  expect(written.stderr).toContain('calculator(expression: "2 + 2") → 4');
});

it("a real model gets no notice, and its reply is streamed to a terminal", async () => {
  const environment = { PLANGRAPH_MODEL: "openai:m", NO_COLOR: "1" };
  const { run, written } = await withReplies([{ text: ["It is ", "noon."] }], {
    environment,
    tty: true,
  });
  expect(await run("react", "What time is it?")).toBe(0);
  expect(written.stderr).toBe("");
  expect(written.stdout).toContain("It is noon.\nanswered in ");
});

const mistakes = [
  { name: "an unknown flag", argv: ["react", "q", "--speed"], says: "unknown option '--speed'" },
  {
    name: "an unknown graph",
    argv: ["reakt", "q"],
    says: "unknown command 'reakt' (Did you mean react?)",
  },
  { name: "two questions", argv: ["react", "q", "r"], says: "too many arguments" },
  { name: "no question", argv: ["react"], says: "A question is missing" },
  { name: "an empty question", argv: ["react", " "], says: "The question is empty." },
  {
    name: "a thread without a file",
    argv: ["react", "q", "--thread", "t"],
    says: "--thread needs --checkpoint FILE.db",
  },
  {
    name: "a thread without a name",
    argv: ["react", "q", "--thread", "", "--checkpoint", "x.db"],
    says: "--thread needs a name.",
  },
  {
    name: "an unknown limit",
    argv: ["react", "q", "--limit", "speed=3"],
    says: "The limits are modelCalls, toolCalls",
  },
  {
    name: "a limit on cost",
    argv: ["react", "q", "--limit", "costUsd=3"],
    says: "a limit on cost needs prices",
  },
  { name: "a bad spec", argv: ["react", "q", "--model", "gpt"], says: '"gpt" is no model spec' },
  {
    name: "a missing tool file",
    argv: ["react", "q", "--tools", "no.js"],
    says: "--tools no.js: there is no such file.",
  },
  {
    name: "a checkpoint file that is none",
    argv: ["react", "q", "--checkpoint", "package.json"],
    says: "--checkpoint package.json: it cannot be used as a SQLite database: file is not",
  },
];

it.each(mistakes)("$name ends with status 2 and one sentence", async ({ argv, says }) => {
  const { run, written } = createConsole();
  expect(await run(...argv)).toBe(2);
  expect(written.stdout).toBe("");
  expect(written.stderr).toMatch(/^plangraph: [^\n]+\n$/m);
  expect(written.stderr).toContain(says);
  expect(written.stderr).not.toMatch(/\n {4}at /);
});

it("a missing key ends with status 1", async () => {
  const { run, written } = createConsole();
  expect(await run("react", "q", "--model", "openai:m")).toBe(1);
  expect(written.stderr).toMatch(/^plangraph: The model "openai:m" needs a key.*\n$/);
});

it("a failed run ends with status 1 and its reason on the standard error", async () => {
  const { run, written } = await withReplies([fault.status(401)]);
  expect(await run("react", "q", "--model", "openai:m", "--quiet")).toBe(1);
  expect(written.stdout).toBe("");
  expect(written.stderr).toMatch(/^plangraph: the run failed: .*openai:m.*\n$/);
});

it("a limit ends with status 3, its name and an answer", async () => {
  const call = { toolCalls: [{ name: "echo", args: { text: "a" } }] };
  const { run, written } = await withReplies([call, "As far as I got."]);
  const argv = ["--model", "openai:m", "--tools", tools, "--limit", "modelCalls=1", "--quiet"];
  expect(await run("react", "q", ...argv)).toBe(3);
  expect(written).toMatchObject({
    stdout: "As far as I got.\n",
    stderr: "plangraph: stopped at a limit: modelCalls.\n",
  });
});

it("a hand-off ends with status 4 and its reason", async () => {
  const { run, written } = await withReplies([
    { toolCalls: [{ name: "hand_off", args: { reason: "They want a person." } }] },
  ]);
  expect(await run("react", "q", "--model", "openai:m", "--quiet")).toBe(4);
  expect(written).toMatchObject({
    stdout: "A person takes over from here: They want a person.\n",
    stderr: "plangraph: handed off to a person.\n",
  });
});

it("help and version go to the standard output", async () => {
  for (const [argv, says] of [
    [["--version"], "1.2.3\n"],
    [["--help"], "react [options] [question]"],
    [["--help"], 'as in "What is 3457 * 43216?"'],
    [["react", "--help"], "--limit NAME=none removes one"],
  ] as const) {
    const { run, written } = createConsole();
    expect(await run(...argv)).toBe(0);
    expect(written).toMatchObject({ stdout: expect.stringContaining(says), stderr: "" });
  }
});

it("nothing at all prints help on the standard error, with status 2", async () => {
  const { run, written } = createConsole();
  expect(await run()).toBe(2);
  expect(written).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("Usage: plangraph"),
  });
});

it("every outcome and every error has a status", () => {
  const outcomes = ["answered", "failed", "limit", "needs_input", "handed_off"] as const;
  expect(outcomes.map((status) => outcomeStatus[status])).toEqual([0, 1, 3, 4, 4]);
  const codes = ["missing_key", "missing_package", "invalid_tool", "invalid_decisions"] as const;
  expect(codes.map((code) => errorStatus(new PlangraphError(code, "")))).toEqual([1, 2, 2, 1]);
  expect(errorStatus(new TypeError("x"))).toBe(1);
});

it("--review-answer asks before the answer is printed", async () => {
  await using model = await startScriptedServer({ replies: ["The answer is 41."] });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: model.url };
  const typed = ["e", '{"answer":"It is 42."}'];
  const { run, written } = createConsole({ environment, typed });
  expect(await run("react", "Q?", "--model", "openai:m", "--review-answer")).toBe(0);
  expect(written.person.trimEnd().split("\n")).toEqual([
    "! Send this answer?",
    "Question: Q?",
    "Answer: The answer is 41.",
    "y = send it, n [reason] = do not send it, e = edit it as JSON",
  ]);
  expect(written.stdout).toContain("It is 42.");
  expect(written.stdout).not.toContain("41");
});

it("a rejected answer is not printed", async () => {
  await using model = await startScriptedServer({ replies: ["The answer is forty-one."] });
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: model.url };
  const { run, written } = createConsole({ environment, typed: ["n it is wrong"] });
  expect(await run("react", "Q?", "--model", "openai:m", "--review-answer")).toBe(4);
  expect(written.stdout + written.stderr).not.toContain("forty-one");
  expect(written.stderr).toContain("plangraph: refused: it is wrong");
});
