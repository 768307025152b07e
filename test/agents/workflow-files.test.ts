import { Command, MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { describeAgent, drawAgent, loadAgent, loadAgents } from "../../src/agents/index.js";
import { asTool, createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

/** Doubles a number, as a workflow with a form of its result. */
const double = `description: Doubles a number.
input: { n: number }
tools: [calculator]
steps:
  twice: { tool: calculator, args: { expression: "{{input.n}} * 2" } }
output: { n: "{{twice}}" }
returns: { n: number }
`;

/** A model that never comes to an answer. */
const looping = () => ({
  toolCalls: [{ name: "random_number", args: { min: 1, max: 1000000 } }],
});

const thread = { configurable: { thread_id: "1" } };

describe("a workflow from a file", () => {
  it("runs other workflows and agents, each file read once", async () => {
    await directory.write("double.workflow.yaml", double);
    await directory.write("poet.agent.yaml", "graph: react\ndescription: Writes.\n");
    const file = await directory.write(
      "all.workflow.yaml",
      `input: { n: number }
steps:
  four: { workflow: double.workflow.yaml, args: { n: "{{input.n}}" } }
  eight: { workflow: double.workflow.yaml, args: { n: "{{four.n}}" } }
  poem: { agent: poet.agent.yaml, question: "A line about {{eight.n}}." }
output: "{{poem}}"
`,
    );
    using models = scriptedModel(["Eight is great."]);
    const result = await (await loadAgent(file, { models })).invoke({ input: { n: 2 } });
    expect(result).toMatchObject({
      answer: "Eight is great.",
      outcome: { status: "answered" },
      usage: { modelCalls: 1, toolCalls: 5 },
    });
    expect(models.calls[0]?.messages.at(-1)?.text).toBe("A line about 8.");
  });

  it("gets from the memory of the agent that calls it what its policies say", async () => {
    const core = new URL("../../node_modules/@langchain/core/dist/tools/index.js", import.meta.url);
    await directory.write(
      "tools.mjs",
      `import { tool } from ${JSON.stringify(core.href)};
       const schema = { type: "object", properties: { orderId: { type: "string" }, why: { type: "string" } }, required: ["orderId", "why"] };
       export const refund = tool(async ({ orderId, why }) => orderId + ": " + why, { name: "refund", description: "Refunds.", schema });`,
    );
    await directory.write(
      "refund.workflow.yaml",
      `description: Refunds the order.
input: { why: text }
tools: ["./tools.mjs:refund"]
policies: { refund: { fromMemory: { orderId: order.orderId } } }
steps:
  refunded: { tool: refund, args: { why: "{{input.why}}" } }
`,
    );
    const file = await directory.write(
      "desk.agent.yaml",
      `graph: react
agents: { refunding: refund.workflow.yaml }
memory:
  order: { text: A kettle., ids: { orderId: "{{configurable.order}}" } }
`,
    );
    using models = scriptedModel([
      { toolCalls: [{ name: "refunding", args: { why: "It leaks." } }] },
      "Refunded.",
    ]);
    const graph = await loadAgent(file, { models });
    const { observations } = await graph.invoke(
      { messages: [{ role: "user", content: "Refund it." }] },
      { configurable: { order: "A-7" } },
    );
    expect(observations?.[0]?.content).toBe("A-7: It leaks.");
    expect(JSON.stringify(models.calls[0]?.tools)).not.toContain("orderId");
  });

  it("repeats a workflow until its result is good enough", async () => {
    await directory.write("double.workflow.yaml", double);
    const file = await directory.write(
      "grow.workflow.yaml",
      `steps:
  grown:
    workflow: double.workflow.yaml
    args: { n: "{{result.n}}" }
    repeat:
      until: { value: "{{result.n}}", operator: ">=", target: 20 }
      start: { n: 3 }
      max: 5
output: "{{grown.n}}"
`,
    );
    const result = await (await loadAgent(file)).invoke({ input: {} });
    expect(result).toMatchObject({ answer: "24" });
  });

  it("is a tool with typed arguments for an agent of a file, and a route", async () => {
    await directory.write("double.workflow.yaml", double);
    const file = await directory.write(
      "desk.agent.yaml",
      "graph: react\nagents:\n  double: double.workflow.yaml\n",
    );
    using models = scriptedModel([
      { toolCalls: [{ name: "double", args: { n: 21 } }] },
      "It is 42.",
    ]);
    const result = await (
      await loadAgent(file, { models })
    ).invoke({
      messages: [{ role: "user", content: "Twice 21?" }],
    });
    expect(result.answer).toBe("It is 42.");
    expect(result.observations?.[0]).toMatchObject({
      tool: "double",
      args: { n: 21 },
      value: { n: 42 },
    });
    const router = await directory.write(
      "front.agent.yaml",
      "graph: router\nunclear: double\nroutes:\n  double: { agent: double.workflow.yaml, when: '[{]' }\n",
    );
    const routed = await (
      await loadAgent(router, { models: "offline" })
    ).invoke({
      messages: [{ role: "user", content: '{"n": 4}' }],
    });
    expect(routed.answer).toBe('{"n":8}');
  });

  it("is a tool of a graph in code", async () => {
    const file = await directory.write("double.workflow.yaml", double);
    const tool = asTool(await loadAgent(file), {
      name: "double",
      description: "Doubles a number.",
    });
    using models = scriptedModel([
      { toolCalls: [{ name: "double", args: { question: '{"n":2}' } }] },
      "4",
    ]);
    const result = await createReactGraph({ models, tools: [tool] }).invoke({
      messages: [{ role: "user", content: "Twice 2?" }],
    });
    expect(result.observations[0]).toMatchObject({ ok: true, value: { n: 4 } });
  });

  it("asks the person whom a workflow inside it asks", async () => {
    await directory.write("ask.workflow.yaml", 'steps:\n  name: { person: "Who are you?" }\n');
    const file = await directory.write(
      "greet.workflow.yaml",
      'steps:\n  who: { workflow: ask.workflow.yaml }\noutput: "Hello {{who}}"\n',
    );
    const graph = await loadAgent(file, { checkpointer: new MemorySaver() });
    const paused = await graph.invoke({ input: {} }, thread);
    expect(JSON.stringify(paused)).toContain("Who are you?");
    const resumed = new Command({ resume: { decisions: [{ type: "respond", message: "Ada" }] } });
    expect(await graph.invoke(resumed, thread)).toMatchObject({ answer: "Hello Ada" });
  });

  it("stands beside agents in a folder, by its name", async () => {
    await directory.write("double.workflow.yaml", double);
    await directory.write("poet.agent.json", '{"graph":"react"}');
    const agents = await loadAgents(directory.path("."), { models: "offline" });
    expect([...agents.keys()]).toEqual(["double", "poet"]);
  });

  it("shows what it takes, what it may do, and its drawing", async () => {
    const file = await directory.write("double.workflow.yaml", double);
    expect(await describeAgent(file)).toMatchObject({
      name: "double",
      graph: "workflow",
      input: { n: "number" },
      tools: [{ name: "calculator", effect: "read", approval: "never" }],
    });
    expect(await drawAgent(file)).toBe(`flowchart TD
  input(["n"])
  step_twice["twice<br/>tool calculator"]
  output(["output"])
  input --> step_twice
  step_twice --> output
`);
  });

  const asking = async (agent: string, more = "") => {
    await directory.write("desk.agent.yaml", agent);
    const steps = `steps:\n  told: { agent: desk.agent.yaml, question: "Hi."${more} }\n`;
    return directory.write(
      "desk.workflow.yaml",
      `${steps}  sum: { tool: calculator, args: { expression: "1+1" } }\ntools: [calculator]\noutput: "{{told}} {{sum}}"\n`,
    );
  };
  const limited =
    "graph: react\ntools: [random_number]\nlimits: { modelCalls: 2 }\nearlyStopping: force\n";

  it("takes no answer of an agent that was stopped at a limit", async () => {
    const file = await asking(limited);
    const result = await (
      await loadAgent(file, { models: scriptedModel(looping) })
    ).invoke({ input: {} });
    expect(result.outcome?.status).toBe("failed");
    expect(result.outcome?.reason).toContain("desk was stopped before it was done");
  });

  it("may have a fallback for it", async () => {
    const file = await asking(limited, ", fallback: nothing");
    const result = await (
      await loadAgent(file, { models: scriptedModel(looping) })
    ).invoke({ input: {} });
    expect(result).toMatchObject({ answer: "nothing 2", outcome: { status: "answered" } });
  });

  it("is handed off where an agent in it hands off, also with a fallback", async () => {
    const file = await asking("graph: react\ntools: [hand_off]\n", ", fallback: nothing");
    using models = scriptedModel([
      { toolCalls: [{ name: "hand_off", args: { reason: "It is the law." } }] },
    ]);
    const result = await (await loadAgent(file, { models })).invoke({ input: {} });
    expect(result.outcome).toMatchObject({
      status: "handed_off",
      reason: expect.stringContaining("It is the law."),
    });
  });

  it("ends at its own limits with that outcome", async () => {
    const file = await directory.write(
      "two.workflow.yaml",
      "limits: { modelCalls: 1 }\nsteps:\n  a: { prompt: A }\n  b: { prompt: 'B {{a}}' }\n",
    );
    using models = scriptedModel(["one"]);
    const result = await (await loadAgent(file, { models })).invoke({ input: {} });
    expect(result.outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
    expect(models.calls).toHaveLength(1);
  });
});
