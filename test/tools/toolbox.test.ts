import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { askUser, handOff } from "../../src/tools/builtin/people.js";
import { attachedPolicy, type ToolPolicy, withPolicy } from "../../src/tools/policy.js";
import { createToolbox, effectsOf, policyIn } from "../../src/tools/toolbox.js";

const schema = z.object({});
const named = (name: string, fields: object = {}) =>
  tool(() => "", { name, description: "d", schema, ...fields });

/** What a caller without types may hand in. */
const untyped = (value: unknown): Parameters<typeof createToolbox>[0] =>
  JSON.parse(JSON.stringify([value]));

describe("createToolbox", () => {
  it.each([
    {
      name: "an object that is no tool",
      tools: untyped({ name: "t", run: 1 }),
      message: "got an object with the keys name, run.",
    },
    { name: "an empty object", tools: untyped({}), message: "got an object without keys." },
    {
      name: "a tool of a provider",
      tools: untyped({ type: "web_search" }),
      message: 'The tool of type "web_search" is run by the model\'s server',
    },
    { name: "null", tools: untyped(null), message: "got object null" },
    { name: "a text", tools: untyped("search"), message: "got string search" },
    { name: "an empty name", tools: [named("")], message: 'The tool name "" is not usable' },
    {
      name: "a name with a blank",
      tools: [named("web search")],
      message: '"web search" is not usable: expected 1 to 64 letters',
    },
    { name: "a name that is too long", tools: [named("x".repeat(65))], message: "is not usable" },
    {
      name: "a name twice",
      tools: [named("a"), named("b"), named("a")],
      message: 'Two tools are named "a"',
    },
  ])("refuses $name", ({ tools, message }) => {
    expect(() => createToolbox(tools)).toThrow(
      expect.objectContaining({ code: "invalid_tool", message: expect.stringContaining(message) }),
    );
  });

  it("refuses a policy for no tool, and names the tools", () => {
    expect(() => createToolbox([named("a"), named("b")], { c: {} })).toThrow(
      expect.objectContaining({
        code: "invalid_tool",
        message: 'toolPolicies names "c", but there is no such tool. The tools are: a, b.',
      }),
    );
    expect(() => createToolbox([], { c: {} })).toThrow("The tools are: none.");
  });

  it.each(["a", "get_weather", "web-search", "files.read", "查天气", "x".repeat(64)])(
    "accepts the name %s",
    (name) => {
      expect(createToolbox([named(name)]).get(name)?.tool.name).toBe(name);
    },
  );

  it("knows which tools the run itself answers", () => {
    const toolbox = createToolbox([askUser, handOff, named("a")]);
    const roles = [...toolbox.values()].map(({ role }) => role);
    expect(roles).toEqual(["ask_user", "hand_off", undefined]);
    expect([...toolbox.keys()]).toEqual(["ask_user", "hand_off", "a"]);
  });
});

describe("the policy of a tool", () => {
  it("is the attached one, field by field under the graph's", () => {
    const attached = withPolicy(named("a"), { effect: "read", timeoutMs: 5 });
    const toolbox = createToolbox([attached, named("b")], { a: { timeoutMs: 9 } });
    expect(policyIn(toolbox)("a")).toEqual({ effect: "read", timeoutMs: 9 });
    expect(policyIn(toolbox)("b")).toEqual({});
    expect(policyIn(toolbox)("nope")).toEqual({});
  });

  it("is attached over an earlier one, to the tool itself", () => {
    const first = named("a");
    const again = withPolicy(withPolicy(first, { effect: "read", volatile: true }), {
      effect: "write",
    });
    expect(again).toBe(first);
    expect(attachedPolicy(again)).toEqual({ effect: "write", volatile: true });
  });

  it("includes LangChain's returnDirect, which the policy may take back", () => {
    const direct = named("a", { returnDirect: true });
    expect(attachedPolicy(direct)).toEqual({ returnDirect: true });
    expect(attachedPolicy(withPolicy(direct, { returnDirect: false }))).toEqual({
      returnDirect: false,
    });
  });

  it.each<{ policy: ToolPolicy; effects: string }>([
    { policy: { effect: "write" }, effects: "writes" },
    { policy: { effect: "write", needsApproval: true }, effects: "writes" },
    { policy: { effect: "idempotent" }, effects: "changes" },
    { policy: { effect: "read", needsApproval: true }, effects: "changes" },
    { policy: { effect: "read", needsApproval: () => false }, effects: "none" },
    { policy: { effect: "read" }, effects: "none" },
    { policy: {}, effects: "none" },
  ])("tells what a toolbox may change: $policy", ({ policy, effects }) => {
    expect(effectsOf(createToolbox([named("a"), named("b")], { a: policy }))).toBe(effects);
  });

  it("a toolbox without tools changes nothing, and one that hands off neither", () => {
    expect(effectsOf(createToolbox([]))).toBe("none");
    expect(effectsOf(createToolbox([handOff, askUser]))).toBe("none");
  });
});
