import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { loadAgent, loadAgents } from "../../src/agents/index.js";
import {
  calculator,
  compare,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Observation,
  randomNumber,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

const models = "offline";
const sum = "What is 3457 * 43216?";
const ask = (content: string) => ({ messages: [{ role: "user", content }] });
const example = (name: string) => `examples/agents/${name}.agent.yaml`;

const rewoo = () => createRewooGraph({ models, tools: [calculator, compare, randomNumber] });

const callsOf = ({ observations = [] }: { readonly observations?: readonly Observation[] }) =>
  observations.map(({ tool, args, content }) => ({ tool, args, content }));

describe("a graph as a file gives what the code gives", () => {
  const tools = [calculator, randomNumber];
  it.each([
    { name: "react", make: () => createReactGraph({ models, tools: [calculator] }) },
    { name: "rewoo", make: rewoo },
    {
      name: "plan-execute",
      make: () => createPlanExecuteGraph({ models, tools, stepLimits: { modelCalls: 8 } }),
    },
    { name: "llm-compiler", make: () => createLlmCompilerGraph({ models, tools }) },
    {
      name: "desk",
      make: () =>
        createRouterGraph({
          models,
          routes: { mathematics: { description: "Sums.", graph: rewoo(), when: /^\d/ } },
        }),
    },
  ])("$name", async ({ name, make }) => {
    const graph = await loadAgent(example(name), { models });
    const [fromFile, fromCode] = [await graph.invoke(ask(sum)), await make().invoke(ask(sum))];
    expect(fromFile.answer).toContain("149397712");
    expect(fromFile.answer).toBe(fromCode.answer);
    expect(fromFile.outcome).toEqual(fromCode.outcome);
    expect(callsOf(fromFile)).toEqual(callsOf(fromCode));
  });

  it("loads all of a folder", async () => {
    const graphs = await loadAgents("examples/agents", { models });
    expect([...graphs.keys()]).toEqual(["desk", "llm-compiler", "plan-execute", "react", "rewoo"]);
  });
});

describe("an agent file", () => {
  it("is JSON, too, and takes one tool of a module by its name", async () => {
    const core = new URL("../../node_modules/@langchain/core/dist/tools/index.js", import.meta.url);
    await directory.write(
      "tools.mjs",
      `import { tool } from ${JSON.stringify(core.href)};
       const make = (name) => tool(async () => "It is " + name + ".", { name, description: name, schema: { type: "object", properties: {} } });
       export const colour = make("colour");
       export const size = make("size");`,
    );
    const file = await directory.write(
      "a.agent.json",
      JSON.stringify({ graph: "react", tools: ["./tools.mjs:size"] }),
    );
    const model = scriptedModel([{ toolCalls: [{ name: "size", args: {} }] }, "Done."]);
    const graph = await loadAgent(file, { models: model });
    const { observations } = await graph.invoke(ask("What size?"));
    expect(observations?.map(({ content }) => content)).toEqual(["It is size."]);
    expect(model.calls[0]?.tools.map((each) => each.function.name)).toEqual(["size"]);
  });

  it.each([
    { written: "callFirst: true", choice: "any" },
    { written: "", choice: undefined },
  ])("is held to a call where it says so: $written", async ({ written, choice }) => {
    const text = `graph: react\ntools: [calculator]\n${written}\n`;
    const file = await directory.write("a.agent.yaml", text);
    const model = scriptedModel([
      { toolCalls: [{ name: "calculator", args: { expression: "1 + 1" } }] },
      "2.",
    ]);
    await (await loadAgent(file, { models: model })).invoke(ask("1 + 1?"));
    expect(model.calls[0]?.options.tool_choice).toBe(choice);
  });

  it.each(["react", "rewoo", "plan-execute", "llm-compiler"])(
    "has the form of its answer, in %s",
    async (graph) => {
      const file = await directory.write(
        "order.agent.yaml",
        `graph: ${graph}\nreturns:\n  item: text\n  packets: { type: integer, optional: true }\n`,
      );
      const model = scriptedModel((_, { tools }) => {
        const name = tools[0]?.function.name;
        const order = { item: "tea", packets: 2 };
        return name === "response" ? { toolCalls: [{ name, args: order }] } : JSON.stringify(order);
      });
      const made = await loadAgent(file, { models: model });
      const { structuredResponse, outcome } = await made.invoke(ask("Two packets of tea."));
      expect(outcome).toEqual({ status: "answered" });
      expect(structuredResponse).toEqual({ item: "tea", packets: 2 });
    },
  );

  it("has other agents as tools, which may be used without a file of their own description", async () => {
    await directory.write("sums.agent.yaml", "graph: react\ntools: [calculator]\n");
    const file = await directory.write(
      "chief.agent.yaml",
      "graph: react\nagents:\n  sums: { agent: sums.agent.yaml, description: Calculates. }\n",
    );
    const model = scriptedModel([
      { toolCalls: [{ name: "sums", args: { question: sum } }] },
      { toolCalls: [{ name: "calculator", args: { expression: "3457 * 43216" } }] },
      "It is 149397712.",
      "149397712.",
    ]);
    const graph = await loadAgent(file, { models: model });
    const result = await graph.invoke(ask(sum));
    expect(result.answer).toBe("149397712.");
    expect(result.observations?.map(({ tool }) => tool)).toEqual(["sums"]);
  });
});
