import { basename } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { checkAgents, describeAgent, loadAgent, problemLine } from "../../src/agents/index.js";
import { calculator, createPlanExecuteGraph, type Observation } from "../../src/index.js";
import { type ScriptedCall, scriptedModel } from "../../src/testing/index.js";
import { mcpFolder } from "../support/mcp-files.js";
import { taskPlanText } from "../support/task-plans.js";

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
});
afterEach(() => folder.remove());

const ask = { messages: [{ role: "user" as const, content: "Twelve times three?" }] };
const plan = taskPlanText(
  { task: "Look.", executor: "finder" },
  { task: "Multiply 12 by 3.", executor: "counter", after: ["S1"], final: true },
);

const counter = `
graph: react
description: Calculates.
instructions: You count.
prompts: { agent: Say the result alone. }
examples:
  agent:
    - question: Two times two?
      calls: [{ tool: calculator, args: { expression: 2 * 2 }, result: "4" }]
      answer: "4"
tools: [calculator]
`;
const chief = `
graph: plan-execute
executors:
  finder: finder.agent.yaml
  counter: { agent: counter.agent.yaml, description: Does sums. }
examples:
  planner:
    - question: What do two bells cost?
      steps: [{ task: Find the price., executor: finder }, { task: Double it., executor: counter, after: [S1] }]
`;

async function written(finder: string, more = "") {
  await folder.write("finder.agent.yaml", finder);
  await folder.write("counter.agent.yaml", counter);
  return folder.write("chief.agent.yaml", chief + more);
}

/** Plans, and does each task with the first tool that it has. */
const working = () =>
  scriptedModel((messages, { tools }) => {
    const [name] = tools.map((each) => each.function.name);
    if (name === undefined || messages.at(-1)?.type === "tool")
      return name === undefined ? plan : "36";
    return { toolCalls: [{ name, args: name === "calculator" ? { expression: "12 * 3" } : {} }] };
  });

const finder = (server: string) =>
  `graph: react\ndescription: Finds.\nmcp:\n  a: ${server}\npolicies:\n  look: { effect: read }\n`;

const texts = ({ messages }: ScriptedCall) => messages.map((each) => each.text);
const stepsOf = ({ observations = [] }: { readonly observations?: readonly Observation[] }) =>
  observations.map(({ tool, ok }) => ({ tool, ok }));

describe("the executors of a plan as files", () => {
  it("are those of the code: description, prompt, examples and tools, also of an MCP server", async () => {
    const file = await written(finder(folder.mortal("a", ", tools: [look]")));
    const [ofFile, ofCode] = [working(), working()];
    await using graph = await loadAgent(file, { models: ofFile });
    const made = createPlanExecuteGraph({
      models: ofCode,
      executors: {
        finder: { description: "Finds.", tools: [calculator] },
        counter: {
          description: "Does sums.",
          tools: [calculator],
          prompt: "You count.\n\nSay the result alone.",
          examples: [
            {
              question: "Two times two?",
              calls: [{ tool: "calculator", args: { expression: "2 * 2" }, result: "4" }],
              answer: "4",
            },
          ],
        },
      },
      examples: {
        planner: [
          {
            question: "What do two bells cost?",
            steps: [
              { task: "Find the price.", executor: "finder" },
              { task: "Double it.", executor: "counter", after: ["S1"] },
            ],
          },
        ],
      },
    });
    const fromFile = await graph.invoke(ask);
    const fromCode = await made.invoke(ask);
    expect(fromFile.answer).toBe("36");
    expect(fromFile.answer).toBe(fromCode.answer);
    expect(stepsOf(fromFile)).toEqual(stepsOf(fromCode));
    expect(folder.notes()).toContain("look");
    const counting = (calls: readonly ScriptedCall[]) =>
      calls.filter((call) => texts(call).some((text) => text.includes("You count.")));
    expect(counting(ofFile.calls).map(texts)).toEqual(counting(ofCode.calls).map(texts));
    expect(counting(ofFile.calls)).not.toEqual([]);
    const examples = ofFile.calls[0]?.messages[0]?.text;
    expect(examples).toContain('An example. "What do two bells cost?"');
    expect(examples).toContain("Does sums.");
  });

  it("that name the same tools have the same, and one without tools has those of the plan", async () => {
    const file = await written(
      "graph: react\ndescription: Finds.\ntools: [calculator, current_date]\n",
      "tools: [current_date]\npolicies: { current_date: { volatile: true } }\n",
    );
    await folder.write("third.agent.yaml", "graph: react\ndescription: Knows the day.\n");
    const text = `${chief.replace("executors:", "executors:\n  third: third.agent.yaml")}tools: [current_date]\n`;
    const more = await folder.write("more.agent.yaml", text);
    expect((await checkAgents([file, more])).problems).toEqual([]);
  });

  it("that name the same server have its tools together, and it is started once", async () => {
    const same = finder(folder.mortal("a", ", tools: [look]"));
    const file = await written(same);
    await folder.write("counter.agent.yaml", same.replace("Finds.", "Finds, too."));
    const graph = await loadAgent(file, { models: "offline" });
    expect(folder.pids()).toHaveLength(1);
    await graph.close();
    const other = same.replace("[look]", "[look, put]");
    await folder.write("counter.agent.yaml", other);
    expect((await checkAgents([file])).problems).toEqual([]);
    const distrusted = same.replace("a: {", "a: { trustHints: true,");
    await folder.write("counter.agent.yaml", distrusted);
    expect((await checkAgents([file])).problems).toMatchObject([
      { path: ["tools"], message: expect.stringContaining('two tools are named "look"') },
    ]);
  });

  it("are shown with the policies of their plan", async () => {
    const file = await written(
      finder(folder.mortal("a", ", tools: [look, put]")),
      "policies: { put: { needsApproval: true }, look: { effect: read } }\n",
    );
    const { executors } = await describeAgent(file);
    expect(executors["finder"]?.tools).toMatchObject([
      { name: "look", effect: "read", approval: "never" },
      { name: "put", approval: "always" },
    ]);
    expect(executors["counter"]).toMatchObject({ description: "Calculates.", graph: "react" });
    expect(folder.alive()).toEqual([]);
  });

  it.each([
    {
      is: "no react",
      text: "graph: rewoo\ndescription: F.\n",
      told: /expected an agent of the graph react in .*finder\.agent\.yaml, got rewoo/,
    },
    {
      is: "a file that says what the plan says",
      text: "graph: react\ndescription: F.\nlimits: { seconds: 3 }\nmemory: { a: b }\n",
      told: /expected no memory, limits in .*finder\.agent\.yaml: for an executor, the file of its plan says that/,
    },
    {
      is: "a policy for all",
      text: 'graph: react\ndescription: F.\npolicies: { "*": { effect: read } }\n',
      told: /expected the policy of all tools \(\*\) in this file alone/,
    },
    {
      is: "another policy for a tool of two",
      text: "graph: react\ndescription: F.\ntools: [calculator]\npolicies: { calculator: { needsApproval: true } }\n",
      told: /4:3 executors\.counter: expected one policy for calculator in all files of this plan, got another in .*counter/,
      at: "counter",
    },
    {
      is: "no description",
      text: "graph: react\n",
      told: /3?:\d+ executors\.finder: expected a description/,
    },
    {
      is: "a file that is not there",
      text: undefined,
      told: /executors\.finder: the agent .* cannot be used/,
      more: 1,
    },
    {
      is: "another tool of the same name",
      text: "graph: react\ndescription: F.\nagents: { calculator: counter.agent.yaml }\n",
      told: /tools: two tools are named "calculator"/,
    },
  ])("that have $is are refused", async ({ text, told, more = 0 }) => {
    if (text !== undefined) await folder.write("finder.agent.yaml", text);
    await folder.write("counter.agent.yaml", counter);
    const file = await folder.write(
      "chief.agent.yaml",
      "graph: plan-execute\nexecutors:\n  finder: finder.agent.yaml\n  counter: counter.agent.yaml\n",
    );
    const { problems } = await checkAgents([file]);
    const lines = problems.map((one) => problemLine({ ...one, file: basename(one.file) }));
    expect(lines).toContainEqual(expect.stringMatching(told));
    expect(lines).toHaveLength(1 + more);
  });

  it("may be told what to do with a tool by the file of the plan alone", async () => {
    const asks = "graph: react\ndescription: F.\ntools: [calculator]\n";
    const file = await written(asks, "policies: { calculator: { needsApproval: true } }\n");
    expect((await checkAgents([file])).problems).toEqual([]);
    await written(asks);
    expect((await checkAgents([file])).problems).toEqual([]);
  });

  it("are no field of another graph", async () => {
    const file = await folder.write("a.agent.yaml", "graph: rewoo\nexecutors: {}\n");
    const { problems } = await checkAgents([file]);
    expect(problems).toMatchObject([
      { path: ["executors"], message: expect.stringContaining("plan-execute has it") },
    ]);
  });
});
