import { tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, ToolError } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asRunnable, hosts } from "../support/hosts.js";

const question = { messages: [{ role: "user" as const, content: "go" }] };
const thread = { configurable: { thread_id: "1" } };
const places = Object.entries({ "at top level": undefined, ...hosts });

/** A caller's own tools that pause by themselves. */
function pausingTools() {
  const runs: string[] = [];
  const pausing = ["size", "colour"].map((name) =>
    tool(
      () => {
        const answer = String(interrupt({ question: `Which ${name}?` }));
        runs.push(`${name} ${answer}`);
        return `${name} is ${answer}`;
      },
      { name, description: name, schema: z.object({}) },
    ),
  );
  const plain = tool(
    () => {
      runs.push("plain");
      return "plain";
    },
    { name: "plain", description: "Plain.", schema: z.object({}) },
  );
  return { runs, tools: [...pausing, plain] };
}

describe.each(places)("tools that interrupt by themselves, %s", (_, host) => {
  it("are asked one at a time, each gets its own answer, and nothing finished runs again", async () => {
    const { runs, tools } = pausingTools();
    const toolCalls = ["size", "plain", "colour"].map((name) => ({ name, args: {}, id: name }));
    const models = scriptedModel([{ toolCalls }, "Done."]);
    const checkpointer = new MemorySaver();
    const options = { models, tools };
    const graph = asRunnable(
      host === undefined
        ? createReactGraph({ ...options, checkpointer })
        : host(createReactGraph(options), checkpointer),
    );
    const first: unknown = await graph.invoke(question, thread);
    expect(JSON.stringify(first)).toContain("Which size?");
    const second: unknown = await graph.invoke(new Command({ resume: "big" }), thread);
    expect(JSON.stringify(second)).toContain("Which colour?");
    const third = await graph.invoke(new Command({ resume: "red" }), thread);
    expect(third.messages.at(-1)?.text).toBe("Done.");
    expect(runs).toEqual(["plain", "size big", "colour red"]);
    models.assertExhausted();
  });
});

it("a call that a person edited pauses with the edited arguments", async () => {
  const paid: number[] = [];
  const pay = tool(
    ({ euros }) => {
      interrupt({ question: `Pay ${euros}?` });
      paid.push(euros);
      return `paid ${euros}`;
    },
    { name: "pay", description: "Pays.", schema: z.object({ euros: z.number() }) },
  );
  const models = scriptedModel([{ toolCalls: [{ name: "pay", args: { euros: 500 } }] }, "Done."]);
  const graph = createReactGraph({
    models,
    tools: [pay],
    toolPolicies: { pay: { needsApproval: true } },
    checkpointer: new MemorySaver(),
  });
  await graph.invoke(question, thread);
  const edited_action = { name: "pay", args: { euros: 5 } };
  const decisions = [{ type: "edit", edited_action }];
  const paused = await graph.invoke(new Command({ resume: { decisions } }), thread);
  expect(JSON.stringify(paused)).toContain("Pay 5?");
  const result = await graph.invoke(new Command({ resume: "yes" }), thread);
  expect(paid).toEqual([5]);
  expect(result.observations[0]?.content).toContain("A person changed the arguments");
});

it("without a checkpointer they fail as tools, and the run goes on", async () => {
  const { tools } = pausingTools();
  const models = scriptedModel([{ toolCalls: [{ name: "size", args: {} }] }, "I cannot ask."]);
  const result = await createReactGraph({ models, tools }).invoke(question);
  expect(result.answer).toBe("I cannot ask.");
  expect(result.observations[0]?.ok).toBe(false);
});

const needsApproval = (args: unknown) => /"n":[45]/.test(JSON.stringify(args));

describe.each(places)("ten calls of one turn, %s", (_, host) => {
  it("of which three fail and two need approval: each is made once over a pause in the middle", async () => {
    const runs: number[] = [];
    const work = tool(
      ({ n }) => {
        runs.push(n);
        if (n < 3) throw new ToolError("rejected", `no ${n}`);
        return `did ${n}`;
      },
      { name: "work", description: "Works.", schema: z.object({ n: z.number() }) },
    );
    const toolCalls = Array.from({ length: 10 }, (_call, n) => ({
      name: "work",
      args: { n },
      id: `c${n}`,
    }));
    const models = scriptedModel([{ toolCalls }, "Done."]);
    const options = { models, tools: [work], toolPolicies: { work: { needsApproval } } };
    const checkpointer = new MemorySaver();
    const graph = asRunnable(
      host === undefined
        ? createReactGraph({ ...options, checkpointer })
        : host(createReactGraph(options), checkpointer),
    );
    await graph.invoke(question, thread);
    expect(runs).toEqual([]);
    const decisions = [{ type: "approve" }, { type: "reject" }];
    await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(runs).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9]);
    const results = models.calls[1]?.messages.filter(({ type }) => type === "tool");
    expect(results?.map(({ text }) => text)).toEqual([
      ...[0, 1, 2].map((n) => `Error (rejected): no ${n}`),
      "did 3",
      "did 4",
      "Error (denied): a person refused this call.",
      ...[6, 7, 8, 9].map((n) => `did ${n}`),
    ]);
  });
});
