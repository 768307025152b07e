import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, askUser, createReactGraph, handOff, type ToolPolicy } from "../../src/index.js";
import { callOrder, orderCalls } from "../../src/tools/call-order.js";
import { createToolbox } from "../../src/tools/toolbox.js";
import { scriptedModel } from "../../src/testing/index.js";
import { observation } from "../support/observations.js";

const time = { clock: { now: () => 0, sleep: async () => {}, random: () => 0 } };

/** Calls as "read", "change" or "change:key", named by their place. */
function waitsOf(calls: readonly string[]) {
  const ordered = calls.map((call, at) => {
    const [kind, resource] = call.split(":");
    return { id: String(at), changes: kind === "change", resource };
  });
  return [...orderCalls(ordered).values()].map((ids) => ids.join(""));
}

describe("the order of effects", () => {
  it.each([
    { name: "reads wait for nothing", calls: ["read", "read", "read"], waits: ["", "", ""] },
    { name: "a change waits for reads", calls: ["read", "read", "change"], waits: ["", "", "01"] },
    { name: "reads wait for a change", calls: ["change", "read", "read"], waits: ["", "0", "0"] },
    { name: "changes keep their order", calls: ["change", "change"], waits: ["", "0"] },
    {
      name: "two reads between changes do not wait for one another",
      calls: ["change", "read", "read", "change"],
      waits: ["", "0", "0", "012"],
    },
    {
      name: "changes of different things do not wait",
      calls: ["change:a", "change:b", "change:a"],
      waits: ["", "", "0"],
    },
    {
      name: "a read of another thing does not wait",
      calls: ["change:a", "read:b", "read:a", "read"],
      waits: ["", "", "0", "0"],
    },
    {
      name: "what acts on everything waits for all, and all for it",
      calls: ["change:a", "change", "change:b"],
      waits: ["", "0", "1"],
    },
    { name: "no call, no order", calls: [], waits: [] },
  ])("$name", ({ calls, waits }) => {
    expect(waitsOf(calls)).toEqual(waits);
  });
});

const schema = z.object({ n: z.number().optional() });
const named = (name: string) => tool(() => "", { name, description: "d", schema });

/** Whether a read behind a call of a tool with this policy waits for it. */
async function holds(policy: ToolPolicy, args: unknown = {}) {
  const toolbox = createToolbox([named("act"), named("look")], {
    act: policy,
    look: { effect: "read", resource: () => "other" },
  });
  const calls = [
    { id: "1", name: "act", args },
    { id: "2", name: "look", args: {} },
  ];
  return callOrder(calls, toolbox, time).get("2")?.length === 1;
}

describe("a call of a tool", () => {
  it.each<{ name: string; policy: ToolPolicy; args?: unknown; isHeld: boolean }>([
    { name: "that writes", policy: { effect: "write" }, isHeld: true },
    { name: "that may be repeated", policy: { effect: "idempotent" }, isHeld: true },
    { name: "that needs approval", policy: { effect: "read", needsApproval: true }, isHeld: true },
    { name: "that may need approval", policy: { needsApproval: () => false }, isHeld: true },
    { name: "that reads", policy: { effect: "read" }, isHeld: false },
    {
      name: "that reads and may need approval",
      policy: { effect: "read", needsApproval: () => true },
      isHeld: false,
    },
    { name: "of no declared effect", policy: {}, isHeld: false },
    {
      name: "that acts on another thing",
      policy: { effect: "write", resource: () => "mine" },
      isHeld: false,
    },
    {
      name: "that acts on the same thing",
      policy: { effect: "write", resource: () => "other" },
      isHeld: true,
    },
    {
      name: "whose key is found in its arguments as the tool gets them",
      policy: { effect: "write", resource: ({ n }) => (n === 3 ? "three" : "other") },
      args: { n: "3" },
      isHeld: false,
    },
    {
      name: "whose key cannot be told",
      policy: {
        effect: "write",
        resource: () => {
          throw new Error("no key");
        },
      },
      isHeld: true,
    },
    { name: "whose key is empty", policy: { effect: "write", resource: () => "" }, isHeld: true },
    {
      name: "whose key is no text",
      policy: { effect: "write", resource: ({ n }) => JSON.parse(String(n)) },
      args: { n: 3 },
      isHeld: true,
    },
    {
      name: "whose arguments refer to a result",
      policy: { effect: "write", resource: () => "mine" },
      args: { n: "{{E1}}" },
      isHeld: true,
    },
    {
      name: "whose arguments cannot be read",
      policy: { effect: "write", resource: () => "mine" },
      args: "{{{",
      isHeld: true,
    },
    {
      name: "whose arguments a person may edit",
      policy: { effect: "write", needsApproval: true, resource: () => "mine" },
      isHeld: true,
    },
  ])("$name: a read behind it waits: $isHeld", async ({ policy, args, isHeld }) => {
    expect(await holds(policy, args)).toBe(isHeld);
  });

  it("that ends the run holds what stands behind it; a question holds only changes", async () => {
    const toolbox = createToolbox([handOff, askUser, named("act")], { act: { effect: "write" } });
    const calls = ["ask_user", "hand_off", "nope", "ask_user", "act"].map((name, at) => ({
      id: String(at),
      name,
      args: {},
    }));
    const order = callOrder(calls, toolbox, time);
    expect([...order.values()].map((ids) => ids.join(""))).toEqual(["", "0", "1", "1", "0123"]);
  });

  it.each([
    { policy: { effect: "write" as const }, isHeld: true },
    { policy: { effect: "idempotent" as const }, isHeld: true },
    { policy: { needsApproval: true }, isHeld: true },
    { policy: { effect: "read" as const }, isHeld: false },
    { policy: {}, isHeld: false },
  ])("that is a graph counts as what is inside: $policy", async ({ policy, isHeld }) => {
    const inner = { models: scriptedModel([]), tools: [named("act"), handOff] };
    const graph = createReactGraph({ ...inner, toolPolicies: { act: policy } });
    const middle = asTool(graph, { name: "middle", description: "d" });
    const outer = createReactGraph({ models: scriptedModel([]), tools: [middle] });
    const toolbox = createToolbox([asTool(outer, { name: "expert", description: "d" }), askUser]);
    const calls = ["expert", "ask_user"].map((name, at) => ({ id: String(at), name, args: {} }));
    expect(callOrder(calls, toolbox, time).get("1")).toEqual(isHeld ? ["0"] : []);
  });
});

describe("a write with a resource", () => {
  const mine = { effect: "write", resource: () => "mine" } as const;
  const page = observation({ tool: "page", trust: "untrusted" });
  const calling = { ...time, untrusted: "page" };

  it.each([
    { name: "after trusted results", after: [observation()], isHeld: false },
    { name: "after text from outside, which a person may edit", after: [page], isHeld: true },
    { name: "in a run that was asked for after such text", run: calling, isHeld: true },
    { name: "beside a call that may bring such text", first: ["page"], isHeld: true },
    {
      name: "after such text, without approval",
      after: [page],
      policy: { ...mine, needsApproval: false },
      isHeld: false,
    },
  ])(
    "$name: a read of another resource behind it waits: $isHeld",
    ({ after = [], run = time, first = [], policy = mine, isHeld }) => {
      const toolbox = createToolbox([named("page"), named("act"), named("look")], {
        page: { effect: "read", trust: "untrusted", resource: () => "page" },
        act: policy,
        look: { effect: "read", resource: () => "other" },
      });
      const calls = [...first, "act", "look"].map((name) => ({ id: name, name, args: {} }));
      const order = callOrder(calls, toolbox, run, after);
      expect(order.get("look")?.includes("act")).toBe(isHeld);
    },
  );
});
