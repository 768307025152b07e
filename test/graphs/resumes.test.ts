import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const ask = { messages: [{ role: "user" as const, content: "Pay it." }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { resume: { decisions: [{ type: "approve" as const }] } };

function paying() {
  const paid: string[] = [];
  const pay = tool(() => paid.push("paid") && "paid", {
    name: "pay",
    description: "Pays.",
    schema: z.object({}),
  });
  return { paid, tools: [withPolicy(pay, { effect: "write", needsApproval: true })] };
}

type Options = Pick<
  NonNullable<Parameters<typeof createReactGraph>[0]>,
  "models" | "tools" | "checkpointer"
>;

const graphs = [
  { name: "react", create: createReactGraph },
  { name: "rewoo", create: createRewooGraph },
  { name: "plan-execute", create: createPlanExecuteGraph },
  { name: "llm-compiler", create: createLlmCompilerGraph },
  {
    name: "router",
    create: ({ models, checkpointer }: Options) =>
      createRouterGraph({
        ...(checkpointer === undefined ? {} : { checkpointer }),
        routes: { one: { description: "All.", graph: createReactGraph({ models }) } },
      }),
  },
];

/** A thread on which react waits for an approval. */
async function paused() {
  const checkpointer = new MemorySaver();
  const { paid, tools } = paying();
  const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "Done."]);
  const graph = createReactGraph({ models, tools, checkpointer });
  await graph.invoke(ask, thread);
  return { checkpointer, paid, tools, graph };
}

describe.each(graphs)("$name", ({ create }) => {
  it("refuses an answer, and going on, on a thread that it does not know", async () => {
    const models = scriptedModel(["Never asked."]);
    const graph = create({ models, checkpointer: new MemorySaver() });
    const missing = {
      code: "nothing_to_resume",
      message: expect.stringMatching(/"1" holds no run/),
    };

    await expect(graph.invoke(new Command(approve), thread)).rejects.toMatchObject(missing);
    await expect(graph.invoke(null, thread)).rejects.toMatchObject(missing);
    await expect(graph.stream(new Command(approve), thread)).rejects.toMatchObject(missing);
    expect(models.calls).toHaveLength(0);
  });

  it("refuses an answer without a checkpointer, and a checkpointer without a thread", async () => {
    const models = scriptedModel(["Never asked."]);
    const kept = create({ models, checkpointer: new MemorySaver() });

    await expect(create({ models }).invoke(new Command(approve))).rejects.toMatchObject({
      code: "nothing_to_resume",
    });
    for (const config of [
      undefined,
      {},
      { configurable: {} },
      { configurable: { thread_id: "" } },
    ]) {
      await expect(kept.invoke(ask, config)).rejects.toMatchObject({ code: "missing_thread" });
    }
    expect(models.calls).toHaveLength(0);
  });
});

it.each(graphs.filter(({ name }) => name !== "react"))(
  "$name refuses to go on with a run that react began, and leaves it as it is",
  async ({ create }) => {
    const { checkpointer, paid, graph } = await paused();
    const models = scriptedModel(["Never asked."]);
    const other = create({ models, tools: paying().tools, checkpointer });
    const wrong = {
      code: "wrong_graph",
      message: expect.stringMatching(/begun by the graph "react"/),
    };

    await expect(other.invoke(new Command(approve), thread)).rejects.toMatchObject(wrong);
    await expect(other.invoke(null, thread)).rejects.toMatchObject(wrong);
    expect(models.calls).toHaveLength(0);
    expect(paid).toEqual([]);
    expect((await graph.invoke(new Command(approve), thread)).answer).toBe("Done.");
    expect(paid).toEqual(["paid"]);
  },
);

it("refuses decisions for the result of a run that another graph began", async () => {
  const { tools } = paying();
  const call = { toolCalls: [{ name: "pay", args: {} }] };
  const result = await createReactGraph({ models: scriptedModel([call]), tools }).invoke(ask);
  const models = scriptedModel(["Never asked."]);
  const other = createRewooGraph({ models, tools });
  const decisions = [{ type: "approve" as const }];

  expect(result.outcome?.status).toBe("needs_input");
  await expect(other.invoke({ ...result, decisions })).rejects.toMatchObject({
    code: "wrong_graph",
  });
  expect(models.calls).toHaveLength(0);
});

it("takes a new question on a thread of another graph", async () => {
  const { checkpointer, paid } = await paused();
  const models = scriptedModel(['{"answer": "Hello."}', "Hello.", "Hello.", "Hello."]);
  const { outcome } = await createPlanExecuteGraph({ models, checkpointer }).invoke(ask, thread);

  expect(outcome).toBeDefined();
  expect(paid).toEqual([]);
});

it("refuses an answer to a run that has ended, and shows its end to who goes on with it", async () => {
  const { graph, paid } = await paused();
  await graph.invoke(new Command(approve), thread);

  await expect(graph.invoke(new Command(approve), thread)).rejects.toMatchObject({
    code: "nothing_to_resume",
    message: expect.stringMatching(/has ended/),
  });
  expect((await graph.invoke(null, thread)).answer).toBe("Done.");
  expect(paid).toEqual(["paid"]);
});

it("refuses decisions for a run that was interrupted before it asked anything", async () => {
  const checkpointer = new MemorySaver();
  const { paid, tools } = paying();
  const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "Done."]);
  const graph = createReactGraph({ models, tools, checkpointer });
  const put = checkpointer.put.bind(checkpointer);
  let puts = 0;
  checkpointer.put = async (...given) => {
    puts += 1;
    if (puts === 3) throw new Error("gone");
    return put(...given);
  };
  await expect(graph.invoke(ask, thread)).rejects.toThrow("gone");

  await expect(graph.invoke(new Command(approve), thread)).rejects.toMatchObject({
    code: "nothing_to_resume",
    message: expect.stringMatching(/has asked nothing/),
  });
  await graph.invoke(null, thread);
  expect(paid).toEqual([]);
  expect((await graph.invoke(new Command(approve), thread)).answer).toBe("Done.");
  expect(paid).toEqual(["paid"]);
});
