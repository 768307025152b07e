import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runLine, traceText } from "../../src/cli/view/trace-text.js";
import { ToolError, withPolicy } from "../../src/index.js";
import { createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { type TracedRun, TraceFile, traceStore } from "../../src/tracing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planText, stepOf } from "../support/plans.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
const file = () => directory.path("traces.db");
beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

async function plangraph(...argv: readonly string[]) {
  const { run, written } = createConsole();
  const status = await run(...argv);
  return { status, ...written };
}
const trace = (command: string, ...argv: readonly string[]) =>
  plangraph("trace", command, ...argv, "--trace", file());

/** A plan with a tool that fails after retries, and a step that needs it. */
async function runThatFails() {
  const store = await traceStore({ file: file() });
  const { tools } = countingTools("price", "order");
  const [price, order] = tools;
  if (price === undefined || order === undefined) throw new Error("No tools");
  const failing = withPolicy(
    Object.assign(price, {
      func: () => {
        throw new ToolError("unavailable", "The register is closed.");
      },
    }),
    { effect: "read", retry: { attempts: 3, baseMs: 1 } },
  );
  const models = scriptedModel([
    planText(stepOf("price", "tea"), stepOf("order", "{{E1}}")),
    "I could not find the price.",
  ]);
  await createRewooGraph({ models, tools: [failing, order], observers: [store] }).invoke({
    messages: [{ role: "user", content: "Order tea at its price." }],
  });
  store.close();
}

describe("a graph with --trace", () => {
  it("keeps its runs, of one process after another", async () => {
    for (const question of ["What is 2 + 3?", "What is 4 * 5?"]) {
      expect((await plangraph("react", question, "--trace", file())).status).toBe(0);
    }
    const { stdout } = await trace("list");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/^\S+ +[\d-]+ [\d:]+ UTC/, "")),
    ).toEqual([
      expect.stringMatching(/^ {2}react {2}answered \d+ ms {2}What is 4 \* 5\?$/),
      expect.stringMatching(/^ {2}react {2}answered \d+ ms {2}What is 2 \+ 3\?$/),
    ]);
  });

  it("cannot use a file of something else", async () => {
    writeFileSync(directory.path("notes.txt"), "notes ".repeat(1_000));
    const { status, stderr } = await plangraph(
      "react",
      "Q?",
      "--trace",
      directory.path("notes.txt"),
    );
    expect(status).toBe(2);
    expect(stderr).toContain("cannot be used as a SQLite database");
  });
});

describe("trace show", () => {
  it("tells why a run went wrong: its tree, its thoughts and its tools", async () => {
    await runThatFails();
    const { stdout } = await trace("show", "last");
    const shown = stdout.replaceAll(/\d+ ms|\d\.\d s/g, "T").replaceAll(/ {3,}/g, "   ");
    for (const part of [
      "Order tea at its price.\nrewoo · answered · T · 2 model calls",
      "planner asks scripted-model",
      'E1 price(item: "tea")',
      "failed\n",
      "skipped\n",
      "── Thought 1: planner, scripted-model, T",
      "System:\n  You plan how to answer",
      "Input:\n  user: Order tea at its price.",
      "── Plan\nE1 price",
      "! price: trying again in T",
      '── Tool price (E1), 3 attempts, T, failed: unavailable\nArguments: {"item":"tea"}\nResult:\n  Error (unavailable): The register is closed.',
      "── Tool order (E2), not run, failed: skipped (needs E1)",
      "── Ended: answered\n  I could not find the price.",
    ]) {
      expect(shown).toContain(part);
    }
  });

  it("names the task of each step, and the step of each thought", async () => {
    await plangraph("plan-execute", "What is 2 + 3?", "--trace", file());
    const { stdout } = await trace("show", "last");
    expect(stdout).toMatch(/^ {2}S1 \S.* {2,}█+ /m);
    expect(stdout).toMatch(/^── Thought 2 for S1: executor, offline/m);
    expect(stdout).toMatch(/^── Tool calculator \(offline_\d+ for S1\)/m);
    expect(stdout).toMatch(/^System: as in Thought 2$/m);
  });

  it("tells how long a run worked and waited, as list does without the wait", () => {
    const run: TracedRun = {
      id: "0123456789",
      graph: "react",
      status: "answered",
      startedAt: 0,
      endedAt: 3_605_000,
      waitedMs: 3_600_000,
      question: "Q?",
    };
    expect(runLine(run, 200)).toMatch(/ answered 5\.0 s {2}Q\?$/);
    const told = traceText(run, [], { columns: 100, full: false });
    expect(told.split("\n")[1]).toBe("react · answered · 5.0 s · waited 1 h 0 min for people");
  });

  it("prints no control characters of results", async () => {
    const store = await traceStore({ file: file() });
    const models = scriptedModel(["\u001b[2Jgone\u0007"]);
    await createRewooGraph({ models, observers: [store] }).invoke({
      messages: [{ role: "user", content: "\u001b]0;title\u0007Q?" }],
    });
    store.close();
    const [{ stdout: shown }, { stdout: list }] = await Promise.all([
      trace("show", "last"),
      trace("list"),
    ]);
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    expect(shown + list).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });

  it.each([
    ["nope", /There is no run "nope" in the file\. plangraph trace list names the runs\./],
    ["", /There is no run "" in the file\. \d+ runs begin so/],
  ])("run %j is not there", async (id, problem) => {
    const { status, stderr } = await trace("show", id);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(problem) });
  });

  it("an id with a slip is told the near one", async () => {
    const traces = await TraceFile.open(file());
    const [run] = traces.runs();
    traces.close();
    const id = run?.id ?? "";
    const slip = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
    expect((await trace("show", slip)).stderr).toContain(`Did you mean ${id}?`);
  });
});

describe("trace mark and prune", () => {
  it("a judgement is kept, listed, and survives pruning", async () => {
    await runThatFails();
    expect((await trace("mark", "last", "bad", "ordered nothing")).stdout).toMatch(/: bad\n$/);
    const { stdout } = await trace("list", "--marked");
    expect(stdout).toContain("[bad]  Order tea");
    expect((await trace("prune", "--keep", "0.0000001d")).stdout).toMatch(
      /^Removed \d+ runs?; 1 run left\.\n$/,
    );
    expect((await trace("show", "last")).stdout).toContain("judged bad: ordered nothing");
    expect((await trace("mark", "last", "none")).stdout).toContain("no judgement");
  });

  it.each([
    [["mark", "last", "great"], /expected good, bad or none, got "great"/],
    [["prune"], /trace prune needs --keep/],
    [["prune", "--keep", "7"], /--keep 7: expected days \(7d\) or megabytes \(200mb\)/],
    [["prune", "--keep", "0d"], /--keep 0d/],
    [["list", "--limit", "all"], /--limit all: expected a whole number/],
    [["list", "--status", "fine"], /--status fine: expected one of answered/],
    [["export", "last"], /needs one of --json, --otlp URL, --test and --workflow/],
    [["export", "last", "--json", "--test"], /needs one of/],
  ] as const)("%j is refused", async (argv, problem) => {
    const [command, ...others] = argv;
    const { status, stderr } = await trace(command, ...others);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(problem) });
  });

  it("a file that is not there is not made", async () => {
    const { status, stderr } = await plangraph(
      "trace",
      "list",
      "--trace",
      directory.path("none.db"),
    );
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("there is no such file"),
    });
    expect((await plangraph("trace", "list")).stderr).toContain("trace list needs --trace FILE.db");
  });
});

describe("trace export", () => {
  it("--json prints the run with its events and inputs", async () => {
    await runThatFails();
    const { stdout } = await trace("export", "last", "--json");
    const { run, events } = JSON.parse(stdout);
    expect(run).toMatchObject({ graph: "rewoo", status: "answered" });
    expect(events[1]).toMatchObject({
      event: { type: "model_started" },
      input: { messages: expect.any(Array) },
    });
  });

  it("--test prints a test that replays the run", async () => {
    await runThatFails();
    const { stdout } = await trace("export", "last", "--test");
    const folder = mkdtempSync(resolve("test/.replay-"));
    try {
      const path = join(folder, "replay.ts");
      // The test's own functions, so that it runs inside this one.
      writeFileSync(
        path,
        stdout.replace(
          'import { expect, it } from "vitest";',
          'import { expect } from "vitest";\nexport const tests = [];\nconst it = (name, run) => tests.push(run);',
        ),
      );
      const { tests } = await import(path);
      expect(tests).toHaveLength(1);
      await tests[0]();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("--test cannot replay a run without content, and says so", async () => {
    const store = await traceStore({ file: file(), content: "metadata" });
    await createRewooGraph({ models: "offline", observers: [store] }).invoke({
      messages: [{ role: "user", content: "What is 2 + 3?" }],
    });
    store.close();
    const { status, stderr } = await trace("export", "last", "--test");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("its content was not kept"),
    });
    expect((await trace("show", "last")).stdout).toContain("(not kept)");
  });

  it("--otlp sends its spans with their own times", async () => {
    await runThatFails();
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        bodies.push(`${request.url} ${body}`);
        response.setHeader("content-type", "application/json").end("{}");
      });
    });
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { status, stdout } = await trace("export", "last", "--otlp", `http://127.0.0.1:${port}`);
    server.close();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Sent 6 spans to/),
    });
    expect(bodies[0]).toMatch(/^\/v1\/traces .*invoke_agent rewoo/);
    expect(bodies[0]).toContain("The register is closed.");
  });

  it("--otlp says where nobody listens", async () => {
    const { status, stderr } = await trace("export", "last", "--otlp", "http://127.0.0.1:9");
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("--otlp http://127.0.0.1:9: the spans could not be sent"),
    });
  });
});
