import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createWorkflowGraph } from "../../src/index.js";
import type { AgentEvent } from "../../src/index.js";
import { shop } from "../support/workflow-shop.js";

const thread = { configurable: { thread_id: "1" } };

const branches = (days: number) =>
  createWorkflowGraph(
    {
      input: { days: "number" },
      steps: {
        late: {
          tool: "send",
          args: { text: "late" },
          when: { value: "{{input.days}}", operator: ">", target: 3 },
          otherwise: "not late",
        },
        soon: {
          tool: "send",
          args: { text: "soon" },
          when: { value: "{{input.days}}", operator: "<=", target: 3 },
          otherwise: "{{late}}",
        },
      },
      output: "{{soon}}",
    },
    { tools: shop().tools },
  ).invoke({ input: { days } });

describe("conditions", () => {
  it.each([
    { days: 5, answer: "sent late", calls: 1 },
    { days: 2, answer: "sent soon", calls: 1 },
  ])("takes one of two branches for $days days", async ({ days, answer, calls }) => {
    const result = await branches(days);
    expect(result).toMatchObject({ answer, usage: { toolCalls: calls } });
  });

  it("does not run what needs a branch that was not taken, and runs what only comes after it", async () => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        steps: {
          first: {
            tool: "send",
            args: { text: "a" },
            when: { value: 1, operator: "==", target: 2 },
          },
          needs: { tool: "send", args: { text: "{{first}}" } },
          after: { tool: "send", args: { text: "c" }, after: ["first", "needs"] },
        },
        output: "{{after}}",
      },
      { tools },
    );
    const result = await graph.invoke({ input: {} });
    expect(done).toEqual(["send c"]);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(result.observations.map(({ ok, error }) => (ok ? "ok" : error?.message))).toEqual([
      "its condition does not hold: 1 == 2 (it is 1).",
      "it needs the result of first, which did not run.",
      "ok",
    ]);
  });

  it("asks nobody about a write whose condition does not hold", async () => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        steps: {
          found: { tool: "find_order", args: { id: "A-1" } },
          sent: {
            tool: "send",
            args: { text: "x" },
            when: { value: "{{found.days}}", operator: ">", target: 100 },
            otherwise: "nothing sent",
          },
        },
      },
      { tools, toolPolicies: { send: { needsApproval: true } }, checkpointer: new MemorySaver() },
    );
    const result = await graph.invoke({ input: {} }, thread);
    expect(result).toMatchObject({ answer: "nothing sent", outcome: { status: "answered" } });
    expect(done).toEqual(["find A-1"]);
  });

  it.each<{
    name: string;
    value: string;
    operator: "exists" | "in" | "==";
    target?: string | string[];
    runs: boolean;
  }>([
    {
      name: "a value that is not there",
      value: "{{found.colour}}",
      operator: "exists",
      runs: false,
    },
    { name: "a value that is there", value: "{{found.days}}", operator: "exists", runs: true },
    {
      name: "a value among several",
      value: "{{found.id}}",
      operator: "in",
      target: ["A-1", "B"],
      runs: true,
    },
    {
      name: "a target with a reference",
      value: "{{found.id}}",
      operator: "==",
      target: "{{input.id}}",
      runs: true,
    },
  ])("compares $name", async ({ runs, name: _name, ...when }) => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        input: { id: "text" },
        steps: {
          found: { tool: "find_order", args: { id: "{{input.id}}" } },
          sent: {
            tool: "send",
            args: { text: "x" },
            when,
            otherwise: "",
          },
        },
      },
      { tools },
    );
    await graph.invoke({ input: { id: "A-1" } });
    expect(done.includes("send x")).toBe(runs);
  });
});

describe("failed steps", () => {
  it("fail the run after everything that does not need them", async () => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        steps: {
          gone: { tool: "find_order", args: { id: "X-1" } },
          needs: { tool: "send", args: { text: "{{gone.id}}" } },
          other: { tool: "find_order", args: { id: "B-1" } },
        },
        output: "{{other.id}}",
      },
      { tools },
    );
    const result = await graph.invoke({ input: {} });
    expect(result.outcome?.status).toBe("failed");
    expect(result.outcome?.reason).toContain("gone: ");
    expect(result.outcome?.reason).toContain("there is no order X-1");
    expect(result.outcome?.reason).not.toContain("needs");
    expect(done).toEqual(["find X-1", "find B-1"]);
  });

  it("have their fallback as their result, and the failure is told", async () => {
    const events: AgentEvent[] = [];
    const graph = createWorkflowGraph(
      {
        input: { id: "text" },
        steps: {
          gone: {
            tool: "find_order",
            args: { id: "{{input.id}}" },
            fallback: { id: "{{input.id}}", days: 0 },
          },
        },
        output: "{{gone.id}}: {{gone.days}}",
      },
      { tools: shop().tools, observers: [{ onEvent: (event) => void events.push(event) }] },
    );
    const result = await graph.invoke({ input: { id: "X-9" } });
    expect(result).toMatchObject({ answer: "X-9: 0", outcome: { status: "answered" } });
    expect(result.observations[0]).toMatchObject({
      ok: true,
      replaces: { message: expect.stringContaining("no order") },
    });
    expect(events.find(({ type }) => type === "result_replaced")).toMatchObject({
      callId: "gone",
      reason: "failed",
    });
  });

  it("stand for what a person refuses, also as a write that runs by itself", async () => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        steps: {
          sent: { tool: "send", args: { text: "x" }, fallback: "not sent" },
          told: { tool: "find_order", args: { id: "{{sent}}" } },
        },
        output: "{{told.id}}",
      },
      { tools, toolPolicies: { send: { needsApproval: true } }, checkpointer: new MemorySaver() },
    );
    await graph.invoke({ input: {} }, thread);
    const result = await graph.invoke(
      new Command({ resume: { decisions: [{ type: "reject", message: "No." }] } }),
      thread,
    );
    expect(result).toMatchObject({ answer: "not sent", outcome: { status: "answered" } });
    expect(done).toEqual(["find not sent"]);
  });
});
