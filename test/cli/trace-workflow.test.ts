import { writeFile } from "node:fs/promises";

import { afterEach, beforeEach, expect, it } from "vitest";

import { loadAgent } from "../../src/agents/index.js";
import { createReactGraph, createRewooGraph, ToolError, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { traceStore } from "../../src/tracing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planText, stepOf } from "../support/plans.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

/** Exports the only run of the file of traces. */
async function exported() {
  const { run, written } = createConsole();
  const file = directory.path("traces.db");
  const status = await run("trace", "export", "last", "--workflow", "--trace", file);
  return { status, ...written };
}

async function planned(plan: string, content: "full" | "metadata" = "full") {
  const store = await traceStore({ file: directory.path("traces.db"), content });
  const { tools } = countingTools("price", "order");
  const failing = tools.map((tool) =>
    withPolicy(
      Object.assign(tool, {
        func: ({ item }: { item: string }) => {
          if (item === "gold") throw new ToolError("rejected", "There is none.");
          return `${tool.name} of ${item}`;
        },
      }),
      { effect: "read" },
    ),
  );
  const models = scriptedModel([plan, "Done.", "Done."]);
  await createRewooGraph({ models, tools: failing, observers: [store] }).invoke({
    messages: [{ role: "user", content: "Order green tea, 3 times." }],
  });
  store.close();
}

it("makes a file of a plan, with what the question gave as its input", async () => {
  await planned(
    JSON.stringify({
      steps: [
        { id: "E1", thought: "Its price.", tool: "price", args: { item: "green tea" } },
        { id: "E2", thought: "Orders 3 of it.", tool: "order", args: { item: "3 x {{E1}}" } },
      ],
    }),
  );
  const { status, stdout } = await exported();
  expect(status).toBe(0);
  expect(stdout.split("\n").slice(1).join("\n"))
    .toBe(`# It ran with {"item":"green tea","item_2":3}.
# Name under tools or services where these come from: price, order.
input:
  item: text
  item_2: number
steps:
  E1:
    note: Its price.
    tool: price
    args:
      item: "{{input.item}}"
  E2:
    note: Orders 3 of it.
    tool: order
    args:
      item: "{{input.item_2}} x {{E1}}"
  answer:
    prompt: |-
      Answer the question: Order {{input.item}}, {{input.item_2}} times.
      The results:
      - Its price: {{E1}}
      - Orders {{input.item_2}} of it: {{E2}}
output: "{{answer}}"
`);
});

it("gives a file that runs with another input", async () => {
  const { run } = createConsole();
  const traces = directory.path("traces.db");
  await run("rewoo", "What is 3457 * 43216?", "--model", "offline", "--trace", traces, "--quiet");
  const { stdout } = await exported();
  const file = directory.path("kept.workflow.yaml");
  await writeFile(file, stdout);
  using models = scriptedModel(["It is 42."]);
  const result = await (
    await loadAgent(file, { models })
  ).invoke({ input: { expression: "6 * 7" } });
  expect(result).toMatchObject({ answer: "It is 42.", outcome: { status: "answered" } });
  expect(models.calls[0]?.messages.at(-1)?.text).toBe(
    "Answer the question: What is 6 * 7?\nThe results:\n- 6 * 7: 42",
  );
});

it("leaves out steps without a result", async () => {
  await planned(
    planText(stepOf("price", "green tea"), stepOf("price", "gold"), stepOf("order", "{{E2}}")),
  );
  const { stdout } = await exported();
  expect(stdout).toContain("E1:");
  expect(stdout).not.toMatch(/E2|E3|gold/);
});

it.each([
  { name: "whose content was not kept", content: "metadata", told: "its content was not kept" },
  { name: "without results", content: "full", told: "it has no plan of tool calls with results" },
] as const)("refuses a run $name", async ({ content, told }) => {
  await planned(planText(stepOf("price", "gold")), content);
  const { status, stdout, stderr } = await exported();
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(`cannot become a workflow: ${told}`);
});

it("refuses a run without a plan", async () => {
  const store = await traceStore({ file: directory.path("traces.db") });
  await createReactGraph({ models: scriptedModel(["Hello."]), observers: [store] }).invoke({
    messages: [{ role: "user", content: "Hi." }],
  });
  store.close();
  expect((await exported()).stderr).toContain("it has no plan of tool calls with results");
});
