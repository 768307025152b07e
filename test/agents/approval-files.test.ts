import { MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { checkAgents, describeAgent, loadAgent, problemLine } from "../../src/agents/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
  const core = new URL("../../node_modules/@langchain/core/dist/tools/index.js", import.meta.url);
  await directory.write(
    "tools.mjs",
    `import { tool } from ${JSON.stringify(core.href)};
     const schema = { type: "object", properties: { order: { type: "string" }, amount: { type: "number" } } };
     const make = (name) => tool(async () => name + " is done.", { name, description: name, schema });
     export const refund = make("refund");
     export const look = make("look");`,
  );
});
afterEach(() => directory.remove());

const fileWith = (rule: string) => `graph: react
tools: ["./tools.mjs:refund", "./tools.mjs:look"]
policies:
  refund: { effect: write, needsApproval: ${rule} }
`;

const above20 = '{ parameter: amount, operator: ">", target: 20 }';

/** What becomes of a refund. */
async function refunded(rule: string, args: Readonly<Record<string, unknown>>) {
  const file = await directory.write("desk.agent.yaml", fileWith(rule));
  const models = scriptedModel([{ toolCalls: [{ name: "refund", args }] }, "Done."]);
  const graph = await loadAgent(file, { models, checkpointer: new MemorySaver() });
  const asked = { messages: [{ role: "user", content: "Refund my order." }] };
  const state = await graph.invoke(asked, { configurable: { thread_id: "1" } });
  const isAsked = "__interrupt__" in state;
  return { isAsked, calls: state.observations?.map(({ tool, ok }) => ({ tool, ok })) };
}

describe("a policy of a file that asks people about some calls", () => {
  it.each([{ amount: 20.01 }, { amount: 5000 }, { order: "A-1" }])(
    "asks before %j is refunded",
    async (args) => {
      expect(await refunded(above20, args)).toEqual({ isAsked: true, calls: [] });
    },
  );

  it.each([{ amount: 20 }, { amount: 0.5 }])("refunds %j at once", async (args) => {
    const calls = [{ tool: "refund", ok: true }];
    expect(await refunded(above20, args)).toEqual({ isAsked: false, calls });
  });

  it("is said by what an agent may do", async () => {
    const file = await directory.write("desk.agent.yaml", fileWith(above20));
    expect((await describeAgent(file)).tools).toMatchObject([
      { name: "refund", effect: "write", approval: "sometimes" },
      { name: "look", approval: "never" },
    ]);
  });

  it.each([
    {
      is: "another parameter",
      rule: '{ parameter: amuont, operator: ">", target: 20 }',
      told: /4:\d+ policies\.refund\.needsApproval\.parameter: refund has no such parameter\. Did you mean amount\?$/,
    },
    {
      is: "no bound",
      rule: '{ parameter: amount, operator: ">" }',
      told: /policies\.refund\.needsApproval\.target: expected what the parameter is compared with, got nothing$/,
    },
    {
      is: "words as a bound",
      rule: '{ parameter: amount, operator: ">", target: twenty }',
      told: /needsApproval\.target: expected a number for >, got "twenty"$/,
    },
    {
      is: "a sentence",
      rule: '"amount > 20"',
      told: /4:\d+ policies\.refund\.needsApproval: expected true or false, got "amount > 20"$/,
    },
    {
      is: "a yes",
      rule: "yes",
      told: /policies\.refund\.needsApproval: expected true or false, got "yes"$/,
    },
  ])("is refused with $is", async ({ rule, told }) => {
    const file = await directory.write("desk.agent.yaml", fileWith(rule));
    const { problems } = await checkAgents([file], { environment: {} });
    expect(problems.map(problemLine)).toEqual([expect.stringMatching(told)]);
  });
});
