import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, expect, it } from "vitest";

import { evaluate, readCases } from "../../src/evaluation/index.js";
import {
  asTool,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Decision,
  type Observer,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { callsThen, markedRuns, send } from "../support/marked-runs.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

/** What each kept run has besides its observers. */
type Watched = { readonly observers?: readonly Observer[] };

const checkpointer = () => new MemorySaver();
const sends = (...names: readonly string[]) =>
  scriptedModel(
    callsThen(
      names.map((to) => ["send", { to }]),
      "Sent.",
    ),
  );
const clerk = (...names: readonly string[]) =>
  createReactGraph({ models: sends(...names), tools: [send] });

/** An agent that passes the work to another. */
function chief(names: readonly string[], watched: Watched) {
  const models = scriptedModel(callsThen([["clerk", { question: "Send them." }]], "All done."));
  const tools = [asTool(clerk(...names), { name: "clerk", description: "Sends letters." })];
  return createReactGraph({ models, tools, checkpointer: checkpointer(), ...watched });
}

function router(watched: Watched) {
  const routes = { letters: { description: "Letters.", graph: clerk("ana", "ben") } };
  return createRouterGraph({ models: sends(), routes, checkpointer: checkpointer(), ...watched });
}

function writer(watched: Watched) {
  const models = scriptedModel(() => "A draft.");
  return createReactGraph({ models, reviewAnswer: true, checkpointer: checkpointer(), ...watched });
}

function planned(watched: Watched) {
  const options = { models: "offline", reviewPlan: true, ...watched };
  return createPlanExecuteGraph({ ...options, checkpointer: checkpointer() });
}

function worker(watched: Watched) {
  const models = scriptedModel(['Plan: write.\n#E1 = send[{"to": "ana"}]', "Sent."]);
  return createRewooGraph({ models, tools: [send], checkpointer: checkpointer(), ...watched });
}

const approve: Decision = { type: "approve" };
const no: Decision = { type: "reject", message: "Not to ben." };
const editTo = (name: string, args: Record<string, string>): Decision => ({
  type: "edit",
  edited_action: { name, args },
});
const respond: Decision = { type: "respond", message: "My own answer." };

it.each([
  { name: "calls in a route", make: router, decisions: [approve, no], told: ["approve", no] },
  {
    name: "calls of a graph that is a tool",
    make: (watched: Watched) => chief(["ana", "ben"], watched),
    decisions: [approve, no],
    told: ["approve", no],
  },
  {
    name: "one edited call of a graph that is a tool",
    make: (watched: Watched) => chief(["ana"], watched),
    decisions: [editTo("send", { to: "eva" })],
    told: [editTo("send", { to: "eva" })],
  },
  { name: "an approved answer", make: writer, decisions: [approve], told: ["approve"] },
  { name: "an answer that a person wrote", make: writer, decisions: [respond], told: [respond] },
  {
    name: "an edited answer",
    make: writer,
    decisions: [editTo("answer", { answer: "Edited." })],
    told: [editTo("answer", { answer: "Edited." })],
  },
  { name: "a refused answer", make: writer, decisions: [no], told: [no] },
  { name: "an approved plan", make: planned, decisions: [approve], told: ["approve"] },
  { name: "a refused plan", make: planned, decisions: [no], told: [no] },
  {
    name: "one of several edited calls of a graph that is a tool",
    make: (watched: Watched) => chief(["ana", "ben"], watched),
    decisions: [editTo("send", { to: "eva" }), approve],
    told: [editTo("send", { to: "eva" }), "approve"],
  },
  {
    name: "an edited step",
    make: worker,
    decisions: [editTo("send", { to: "eva" })],
    told: [editTo("send", { to: "eva" })],
  },
])(
  "decisions on $name are in the case, and are right again",
  async ({ name, make, decisions, told }) => {
    const { cases, stderr } = await casesOf(name, make, decisions);
    expect(stderr).toMatch(/^1 case/);
    expect(cases[0]?.turns[0]?.decisions).toEqual(told);
    const subjects = [{ name: "again", graph: () => make({}) }];
    const { cells } = await evaluate({ cases, subjects, allowWrites: true });
    expect(cells.map(({ right, run }) => [right, run?.turns[0]?.answer])).toEqual([
      [true, cases[0]?.expected ?? ""],
    ]);
  },
);

/** The cases of a run with decisions, and what was said of it. */
async function casesOf(
  name: string,
  make: (watched: Watched) => ReturnType<NonNullable<Parameters<typeof markedRuns>[1]["make"]>>,
  decisions: readonly Decision[],
) {
  const [file, out] = ["db", "jsonl"].map((ending) => directory.path(`${name}.${ending}`));
  if (file === undefined || out === undefined) throw new Error("No files");
  const asked = [{ question: "What is 2 + 3?", decisions }];
  await markedRuns(file, { asked, make: (observers) => make({ observers }) });
  const { run, written } = createConsole();
  const status = await run("eval", "from-trace", file, "--out", out);
  return { cases: status === 0 ? await readCases(out) : [], stderr: written.stderr };
}
