import { readFile } from "node:fs/promises";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { evaluate, readCases } from "../../src/evaluation/index.js";
import type { Decision } from "../../src/index.js";
import { traceStore } from "../../src/tracing/index.js";
import { callsThen, desk, key, masked, type Marked, markedRuns } from "../support/marked-runs.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
const file = () => directory.path("traces.db");
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

async function plangraph(...argv: readonly string[]) {
  const { run, written } = createConsole();
  const status = await run(...argv);
  return { status, ...written };
}
const fromTrace = (...argv: readonly string[]) => plangraph("eval", "from-trace", file(), ...argv);

/** The cases on the standard output. */
const casesIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The only case that comes of a run. */
async function caseOf(marked: Marked) {
  await markedRuns(file(), marked);
  const { status, stdout, stderr } = await fromTrace();
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^1 case\./) });
  return casesIn(stdout)[0];
}

const toAna = callsThen([["send", { to: "ana" }]], "Sent.");
const letter = { question: "Write to Ana." };
const approve: Decision = { type: "approve" };
const sent = { tool: "send", args: { to: "ana" } };

const edit = (to: string): Decision => ({
  type: "edit",
  edited_action: { name: "send", args: { to } },
});

describe("a run marked good", () => {
  it("becomes a case that the offline model gets right", async () => {
    await plangraph("react", "What is 3457 * 43216?", "--trace", file());
    await plangraph("trace", "mark", "last", "good", `short; key ${key}`, "--trace", file());
    const out = directory.path("cases.jsonl");
    const { status, stdout, stderr } = await fromTrace("--out", out, "--tag", "sums");
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "",
      stderr: `1 case in ${out}.\n`,
    });
    expect(JSON.parse(await readFile(out, "utf8"))).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}$/),
      question: "What is 3457 * 43216?",
      expect: {
        outcome: "answered",
        tools: {
          mode: "superset",
          calls: [{ tool: "calculator", args: { expression: "3457 * 43216" } }],
        },
      },
      expected: "The result is 149397712.",
      tags: ["good", "sums"],
      note: "short; key [redacted]",
    });
    const report = await plangraph("eval", out, "--graph", "react", "--graph", "rewoo", "--json");
    expect(JSON.parse(report.stdout)).toMatchObject({
      subjects: [{ share: { right: 1, of: 1 } }, { share: { right: 1, of: 1 } }],
    });
  });

  it.each([
    { does: "approve", decisions: [approve], told: ["approve"], calls: [sent] },
    {
      does: "edit",
      decisions: [edit("ben")],
      told: [edit("ben")],
      calls: [{ tool: "send", args: { to: "ben" } }],
    },
    { does: "reject", decisions: [{ type: "reject" }], told: ["reject"], calls: undefined },
    {
      does: "say why not",
      decisions: [{ type: "reject", message: "Not now.\nLater." }],
      told: [{ type: "reject", message: "Not now.\nLater." }],
      calls: undefined,
    },
    {
      does: "give the result",
      decisions: [{ type: "respond", message: "I sent it." }],
      told: [{ type: "respond", message: "I sent it." }],
      calls: undefined,
    },
    { does: "not decide", decisions: undefined, told: undefined, calls: undefined },
  ] as const)("asks for what people do: they $does", async ({ decisions, told, calls }) => {
    const made = await caseOf({
      replies: toAna,
      asked: [{ ...letter, ...(decisions && { decisions }) }],
    });
    expect(made).toMatchObject({
      question: "Write to Ana.",
      expect: { outcome: decisions === undefined ? "needs_input" : "answered" },
    });
    expect(made.decisions).toEqual(told);
    expect(made.expect.tools?.calls).toEqual(calls);
    await writeAndRun([made], toAna);
  });

  it("asks several people in their order, and expects no words of a question", async () => {
    const replies = callsThen(
      [
        ["send", { to: "ana" }],
        ["send", { to: "ben" }],
        ["ask_user", { question: "Which?" }],
      ],
      "Done.",
    );
    const decisions: Decision[] = [
      approve,
      { type: "reject", message: "no" },
      { type: "respond", message: "Blue." },
    ];
    const made = await caseOf({ replies, asked: [{ question: "Write.", decisions }] });
    expect(made).toMatchObject({
      decisions: [
        "approve",
        { type: "reject", message: "no" },
        { type: "respond", message: "Blue." },
      ],
      expect: { outcome: "answered", tools: { calls: ["ask_user", sent] } },
      expected: "Done.",
    });
    await writeAndRun([made], replies);
  });

  it("of a conversation has the turns before it", async () => {
    const replies = callsThen([["send", { to: "ana" }]], "Sent.");
    const made = await caseOf({
      replies,
      asked: [
        { ...letter, decisions: [approve] },
        { question: "And again.", decisions: [approve] },
      ],
    });
    expect(made).toMatchObject({
      turns: [
        { question: "Write to Ana.", decisions: ["approve"] },
        { question: "And again.", decisions: ["approve"] },
      ],
      expect: { outcome: "answered", tools: { calls: [sent] } },
      expected: "Sent.",
    });
    expect(made.question).toBeUndefined();
    await writeAndRun([made], replies);
  });

  it("expects a handoff", async () => {
    const replies = callsThen([["hand_off", { reason: "Is hurt." }]], "");
    const made = await caseOf({ replies, asked: [{ question: "I am hurt." }] });
    expect(made.expect).toEqual({
      outcome: "handed_off",
      tools: { mode: "superset", calls: ["hand_off"] },
    });
    await writeAndRun([made], replies);
  });

  it.each([
    { masks: "the trace, by its looks", args: { to: "ana", token: "x" }, with: {} },
    { masks: "the store", args: { to: "ana" }, with: { store: { redact: masked } } },
    { masks: "the graph", args: { to: "ana" }, with: { options: { redact: masked } } },
  ])("expects a call by its name where $masks masked an argument", async ({ args, with: more }) => {
    const replies = callsThen([["send", args]], "Sent to ana.");
    const made = await caseOf({
      replies,
      asked: [{ question: "Write.", decisions: [approve] }],
      ...more,
    });
    expect(made.expect.tools.calls).toEqual(["send"]);
    expect(JSON.stringify(made)).not.toMatch(/redacted|MASK|\bana\b(?! *\.)/);
    await writeAndRun([made], replies);
  });
});

/** Writes cases, reads them and finds all right with a desk that does the same again. */
async function writeAndRun(
  made: readonly object[],
  replies: NonNullable<Marked["replies"]>,
): Promise<void> {
  const path = await directory.write(
    "again.jsonl",
    made.map((one) => JSON.stringify(one)).join("\n"),
  );
  const { cells } = await evaluate({
    cases: await readCases(path),
    subjects: [{ name: "desk", graph: () => desk(replies) }],
    allowWrites: true,
  });
  expect(cells.map(({ right, scores }) => [right, scores.filter(({ holds }) => !holds)])).toEqual(
    made.map(() => [true, []]),
  );
}

describe("a run marked bad", () => {
  it("becomes a case that an evaluation refuses until a person has filled it in", async () => {
    for (const [question, verdict, why] of [
      ["What is 2 + 3?", "bad", "too short"],
      ["What is 4 * 5?", "good", ""],
    ] as const) {
      await plangraph("react", question, "--trace", file());
      await plangraph("trace", "mark", "last", verdict, why, "--trace", file());
    }
    const out = directory.path("cases.jsonl");
    const { stderr } = await fromTrace("--out", out);
    expect(stderr).toBe(`2 cases in ${out}. Write what must hold in place of expect.todo in 1.\n`);
    const text = await readFile(out, "utf8");
    const [bad, good] = casesIn(text);
    expect(bad).toEqual({
      id: expect.any(String),
      question: "What is 2 + 3?",
      expect: { todo: `What must hold? plangraph trace show ${bad.id} shows what it did.` },
      tags: ["bad"],
      note: "too short",
    });
    expect((await plangraph("trace", "show", bad.id, "--trace", file())).stdout).toMatch(
      /^What is 2/,
    );
    const refused = await plangraph("eval", out, "--graph", "react");
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
    expect(refused.stderr).toContain(`case ${bad.id}: expect.todo is still there: What must hold?`);
    expect((await plangraph("eval", out, "--graph", "react", "--tag", "good")).status).toBe(0);
    await directory.write("cases.jsonl", text.replace(/"todo":"[^"]+"/, '"number":5'));
    expect((await plangraph("eval", out, "--graph", "react")).stdout).toMatch(/react +2 of 2/);
    expect(casesIn((await fromTrace("--mark", "bad")).stdout)).toEqual([bad]);
    expect(casesIn((await fromTrace("--mark", "good")).stdout)).toEqual([good]);
  });

  it("needs no end", async () => {
    const made = await caseOf({
      replies: ["{"],
      asked: [letter],
      mark: { verdict: "bad" },
      options: { models: "offline" },
    });
    expect(made).toMatchObject({ question: "Write to Ana.", tags: ["bad"] });
  });
});

describe("plangraph eval from-trace", () => {
  it("gives runs whose ids begin alike their whole ids", async () => {
    const store = await traceStore({ file: file() });
    const ids = ["3c2b4827-e551-a", "3c2b4827-e551-b", "3c2b4827-e552-a"];
    for (const runId of ids) {
      const origin = { runId, node: "intake", at: Date.now() };
      store.onEvent?.(
        { type: "run_started", graph: "react", content: { question: "Q?" }, ...origin },
        {},
      );
    }
    store.close();
    for (const id of ids) await plangraph("trace", "mark", id, "bad", "--trace", file());
    const made = casesIn((await fromTrace()).stdout);
    expect(made.map(({ id }) => id)).toEqual([ids[0], ids[1], "3c2b4827-e552"]);
    await plangraph("trace", "mark", ids[1] ?? "", "good", "--trace", file());
    expect(casesIn((await fromTrace("--mark", "bad")).stdout)[0].id).toBe(ids[0]);
  });

  it("overwrites a file with --force alone", async () => {
    await markedRuns(file(), { replies: () => "Yes.", asked: [letter] });
    const out = await directory.write("mine.jsonl", "mine");
    const { status, stderr } = await fromTrace("--out", out);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("would be overwritten: --force allows it"),
    });
    expect(await readFile(out, "utf8")).toBe("mine");
    expect((await fromTrace("--out", out, "--force")).status).toBe(0);
    expect(await readCases(out)).toHaveLength(1);
  });

  it.each([
    {
      argv: [],
      told: /no run is marked: plangraph trace mark RUN good --trace \S+ keeps a judgement/,
    },
    { argv: ["--mark", "bad"], told: /no run is marked bad: plangraph trace mark RUN bad/ },
    { argv: ["--mark", "fine"], told: /--mark fine: expected good or bad/ },
    { argv: ["--out", "/no/such/folder/x.jsonl"], told: /no run is marked/ },
  ])("refuses $argv of a file without judgements", async ({ argv, told }) => {
    await plangraph("react", "What is 2 + 3?", "--trace", file());
    const { status, stdout, stderr } = await fromTrace(...argv);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(told),
    });
  });
});
