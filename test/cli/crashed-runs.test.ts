import { existsSync, readFileSync } from "node:fs";

import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import { loadToolFiles } from "../../src/files/load-tools.js";
import { createPlanExecuteGraph, createReactGraph } from "../../src/index.js";
import { scriptedModel, startScriptedServer } from "../../src/testing/index.js";
import { stopsAfter } from "../support/dying-saver.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;

beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

/** The source of a module with a read and a write, which writes down what it did. */
const shopModule = (log: string) => `
import { appendFileSync } from "node:fs";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
const policy = Symbol.for("plangraph.policy");
const make = (name, effect) => Object.assign(tool(({ item }) => {
  appendFileSync(${JSON.stringify(log)}, name + " " + item + "\\n");
  return name + " of " + item;
}, { name, description: "Gives the " + name + ".", schema: z.object({ item: z.string() }) }), { [policy]: { effect } });
export const price = make("price", "read");
export const order = make("order", "write");
`;

const isOrder = (line: string) => line === "order tea";

type Said = { readonly role: string; readonly text: string };

/** What the model says in any role, by what it was told. */
const replies = [
  { to: "Your task: Say so.", reply: "Said." },
  { to: "What have you done?", reply: JSON.stringify({ steps: [], answer: "I see." }) },
  { to: "Write the plan", reply: taskPlanText("Buy tea.", "Say so.") },
  { to: "You look at what the steps of a plan", reply: respondWith("Done.") },
] as const;

function reply(messages: readonly Said[]) {
  const told = messages.map(({ text }) => text).join("\n");
  const found = replies.find(({ to }) => told.includes(to));
  const done = messages.filter(({ role }) => role === "tool").length;
  const name = found === undefined ? ["price", "order"][done] : undefined;
  if (name === undefined) return found?.reply ?? "Done.";
  return { toolCalls: [{ name, args: { item: "tea" }, id: `${name}-1` }] };
}

const scripted = () =>
  scriptedModel((messages) => reply(messages.map(({ type: role, text }) => ({ role, text }))));

const graphs = {
  react: createReactGraph,
  "plan-execute": createPlanExecuteGraph,
} as const;

/** A run that is cut off: behind so many records, from its beginning on or from the order on. */
type Cut = { readonly graph: keyof typeof graphs; readonly records: number; readonly of: string };

/** Cuts a run off, and gives what works on the file that it left. */
async function cutOff({ graph, records, of }: Cut) {
  const name = [graph, records, of].join("-");
  const log = directory.path(`${name}.log`);
  const module = await directory.write(`${name}.mjs`, shopModule(log));
  const orders = () =>
    (existsSync(log) ? readFileSync(log, "utf8") : "").split("\n").filter(isOrder).length;
  const checkpointer = SqliteSaver.fromConnString(directory.path(`${name}.db`));
  let left = records;
  stopsAfter(checkpointer, () => {
    if (of === "all" || orders() > 0) left -= 1;
    return left;
  });
  const tools = await loadToolFiles([module]);
  const run = graphs[graph]({ models: scripted(), tools, checkpointer }).invoke(
    { messages: [{ role: "user", content: "Order tea." }] },
    { configurable: { thread_id: "t" } },
  );
  await expect(run).rejects.toThrow("the program stopped");
  const copies = { left: directory.path(`${name}-left.db`), on: directory.path(`${name}-on.db`) };
  for (const copy of Object.values(copies)) checkpointer.db.exec(`VACUUM INTO '${copy}'`);
  checkpointer.db.close();
  const flags = (copy: keyof typeof copies) => [
    "--model",
    "openai:m",
    "--tools",
    module,
    "--thread",
    "t",
    "--checkpoint",
    copies[copy],
  ];
  return { orders, flags, file: copies.left };
}

async function openServer() {
  const server = await startScriptedServer({
    replies: ({ messages }) =>
      reply(messages.map(({ role, content }) => ({ role, text: JSON.stringify(content ?? "") }))),
    strictPairing: true,
  });
  onTestFinished(() => server.close());
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const told = () => JSON.stringify(server.requests.at(-1)?.body);
  return {
    told,
    asking: (typed?: readonly string[]) =>
      createConsole({ environment, ...(typed === undefined ? {} : { typed }) }),
  };
}

const rows = (["react", "plan-execute"] as const).flatMap((graph) => [
  { graph, records: 1, of: "all", made: 0, asks: false },
  { graph, records: 9, of: "all", made: 0, asks: false },
  { graph, records: 0, of: "those behind the order", made: 1, asks: true },
  { graph, records: 1, of: "those behind the order", made: 1, asks: false },
  { graph, records: 3, of: "those behind the order", made: 1, asks: false },
]);

it.each(rows)(
  "a run of $graph that kept $records records of $of is told, left, and gone on with",
  async ({ made, asks, ...cut }) => {
    const { graph } = cut;
    const { orders, flags, file } = await cutOff(cut);
    const { asking, told } = await openServer();
    expect(orders()).toBe(made);

    const listed = asking();
    expect(await listed.run("runs", "--checkpoint", file)).toBe(0);
    expect(listed.written.stdout).toMatch(/^Thread "t" has an unfinished run/);

    const refused = asking();
    expect(await refused.run(graph, "What have you done?", ...flags("left"))).toBe(4);
    expect(refused.written.stderr).toContain('Thread "t" has an unfinished run');
    expect(refused.written.stderr).toMatch(/To continue it: .* --continue\n/);
    expect(refused.written.stderr).toContain("add --new-run");

    const left = asking();
    expect(await left.run(graph, "What have you done?", "--new-run", ...flags("left"))).toBe(0);
    expect(/order of tea|may have taken effect/.test(told())).toBe(made > 0);
    expect(orders()).toBe(made);

    const goesOn = asking(["n"]);
    expect(await goesOn.run(graph, "--continue", ...flags("on"))).toBe(0);
    expect(goesOn.written.person.includes("order may already have been run")).toBe(asks);
    expect(orders()).toBe(1);
  },
);
