import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { Decision } from "../../src/state/person-requests.js";
import type { ToolPolicy } from "../../src/tools/policy.js";
import { observation } from "../support/observations.js";
import { type CallOptions, toolRun } from "../support/tool-run.js";

const schema = z.object({ item: z.string(), amount: z.number().int().max(100) });

/** A tool that writes down what it orders, and that a call may run without being on record. */
function shop(policy: ToolPolicy = {}, stated: ToolPolicy = { effect: "idempotent" }) {
  const orders: unknown[] = [];
  const order = tool(
    (args) => {
      orders.push(args);
      return "ordered";
    },
    { name: "order", description: "Orders an item.", schema },
  );
  return { orders, ...toolRun([order], { order: { ...stated, ...policy } }) };
}

const tea = { item: "tea", amount: 2 };
const edit = (
  args: Extract<Decision, { type: "edit" }>["edited_action"]["args"],
  name = "order",
): Decision => ({
  type: "edit",
  edited_action: { name, args },
});

describe("a call that needs approval", () => {
  it("asks with what it would run, and does not run", async () => {
    const { call, orders, events } = shop({ needsApproval: true });
    expect(await call("order", '{"item":"tea","amount":"2"}')).toEqual({
      kind: "asks",
      request: {
        callId: "c1",
        action: {
          id: expect.stringMatching(/^req_/),
          name: "order",
          args: tea,
          description: "Run order? Orders an item.",
          effect: "idempotent",
        },
        allowed: ["approve", "edit", "reject", "respond"],
        form: expect.objectContaining({
          properties: {
            item: { type: "string" },
            amount: { type: "integer", minimum: expect.any(Number), maximum: 100 },
          },
          required: ["item", "amount"],
        }),
      },
      calledWith: tea,
    });
    expect(orders).toEqual([]);
    expect(events).toEqual([]);
  });

  it.each([
    { characters: 10_000, has: true },
    { characters: 30_000, has: false },
  ])("has a schema of $characters characters: $has", async ({ characters, has }) => {
    const long = z.object({ item: z.string().describe("x".repeat(characters)) });
    const order = tool(() => "ordered", { name: "order", description: "Orders.", schema: long });
    const { call } = toolRun([order], { order: { needsApproval: true } });
    const asked = await call("order", '{"item":"tea"}');
    expect(asked).toMatchObject({ kind: "asks" });
    expect(asked.kind === "asks" && "form" in asked.request).toBe(has);
  });

  it.each<{ name: string; needsApproval: ToolPolicy["needsApproval"]; asks: boolean }>([
    { name: "true", needsApproval: true, asks: true },
    { name: "false", needsApproval: false, asks: false },
    { name: "no rule", needsApproval: undefined, asks: false },
    {
      name: "a rule that fits",
      needsApproval: (args) => JSON.stringify(args).includes("tea"),
      asks: true,
    },
    {
      name: "a rule that does not fit",
      needsApproval: (args) => JSON.stringify(args).includes("gold"),
      asks: false,
    },
    {
      name: "a rule that fails, to be on the safe side",
      needsApproval: () => {
        throw new TypeError("no such field");
      },
      asks: true,
    },
  ])("goes by $name", async ({ needsApproval, asks }) => {
    const { call, orders } = shop(needsApproval === undefined ? {} : { needsApproval });
    expect((await call("order", tea)).kind).toBe(asks ? "asks" : "observed");
    expect(orders).toHaveLength(asks ? 0 : 1);
  });

  it("does not ask about arguments that do not fit", async () => {
    const { observe, orders } = shop({ needsApproval: true });
    expect((await observe("order", { item: "tea" })).error?.kind).toBe("invalid_arguments");
    expect(orders).toEqual([]);
  });

  it.each<{ name: string; policy: ToolPolicy; kind: string }>([
    { name: "states no effect", policy: {}, kind: "isolated" },
    { name: "has a rule and states none", policy: { needsApproval: () => true }, kind: "isolated" },
    { name: "is a write", policy: { effect: "write" }, kind: "isolated" },
    { name: "is idempotent", policy: { effect: "idempotent" }, kind: "observed" },
    { name: "is a read", policy: { effect: "read" }, kind: "observed" },
  ])(
    "is put on record before it starts, as a write, unless it says otherwise: one that $name",
    async ({ policy, kind }) => {
      const { call, orders } = shop({ needsApproval: true, ...policy }, {});
      expect((await call("order", tea, { decision: { type: "approve" } })).kind).toBe(kind);
      expect(orders).toHaveLength(kind === "isolated" ? 0 : 1);
    },
  );

  it("is no write where its policy says that nobody must approve it", () => {
    const { toolbox } = shop({ needsApproval: false }, {});
    expect(toolbox.get("order")?.policy.effect).toBeUndefined();
  });

  it("runs when it is approved", async () => {
    const { observe, orders } = shop({ needsApproval: true });
    const seen = await observe("order", tea, { decision: { type: "approve" } });
    expect(seen).toMatchObject({ ok: true, content: "ordered", args: tea });
    expect(orders).toEqual([tea]);
  });

  it.each<{ decision: Decision; message: string }>([
    { decision: { type: "reject" }, message: "a person refused this call." },
    {
      decision: { type: "reject", message: "too dear" },
      message: "a person refused this call. They said: too dear",
    },
  ])("does not run when it is refused: $message", async ({ decision, message }) => {
    const { observe, orders } = shop({ needsApproval: true });
    const seen = await observe("order", tea, { decision });
    expect(seen).toMatchObject({ ok: false, attempts: 0, error: { kind: "denied", message } });
    expect(orders).toEqual([]);
  });

  it.each([
    { message: "sold out", value: undefined },
    { message: '{"left":3}', value: { left: 3 } },
  ])("has for its result what a person says in its place: $message", async ({ message, value }) => {
    const { observe, orders } = shop({ needsApproval: true, effect: "write" });
    const seen = await observe("order", tea, { decision: { type: "respond", message } });
    expect(seen).toMatchObject({ ok: true, content: message, args: tea });
    expect(seen.value).toEqual(value);
    expect(orders).toEqual([]);
  });

  it("runs with the arguments that a person changed, and tells the model", async () => {
    const { observe, orders } = shop({ needsApproval: true });
    const seen = await observe("order", tea, { decision: edit({ item: "milk", amount: 1 }) });
    expect(orders).toEqual([{ item: "milk", amount: 1 }]);
    expect(seen.args).toEqual({ item: "milk", amount: 1 });
    expect(seen.content).toBe(
      '(A person changed the arguments to {"item":"milk","amount":1}.)\nordered',
    );
  });

  it.each([
    { name: "miss one", args: { item: "milk" } },
    { name: "have another type", args: { item: "milk", amount: "many" } },
    { name: "are out of range", args: { item: "milk", amount: 1_000 } },
  ])("does not run with changed arguments that $name", async ({ args }) => {
    const { observe, orders } = shop({ needsApproval: true });
    const seen = await observe("order", tea, { decision: edit(args) });
    expect(seen).toMatchObject({ ok: false, error: { kind: "invalid_arguments" } });
    expect(orders).toEqual([]);
  });

  it("takes changed arguments written as a form gives them", async () => {
    const { observe, orders } = shop({ needsApproval: true });
    await observe("order", tea, { decision: edit({ item: "milk", amount: "1" }) });
    expect(orders).toEqual([{ item: "milk", amount: 1 }]);
  });

  it("runs on a person's word even though it was made before", async () => {
    const { observe, orders } = shop({ needsApproval: true });
    const before = observation({ tool: "order", args: tea });
    const options: CallOptions = { decision: { type: "approve" }, observations: [before] };
    expect((await observe("order", tea, options)).ok).toBe(true);
    expect(orders).toHaveLength(1);
  });
});

describe("a call with grounded parameters", () => {
  const policy: ToolPolicy = { grounded: ["item", "amount"] };

  it.each<{ name: string; given: CallOptions }>([
    { name: "the user wrote", given: { texts: ["hello", "2 boxes of tea, please"] } },
    {
      name: "a tool returned",
      given: { texts: ["2 of it"], observations: [observation({ content: "we have tea" })] },
    },
    {
      name: "a trusted tool returned inside of a call that was a run",
      given: {
        texts: ["2 of it"],
        observations: [
          observation({
            content: "a report",
            run: {
              outcome: { status: "answered" },
              observations: [observation({ content: "we have tea" })],
            },
          }),
        ],
      },
    },
    { name: "a person put in", given: { decision: edit(tea) } },
    { name: "a person approved", given: { decision: { type: "approve" } } },
  ])("runs with what $name", async ({ given }) => {
    const { observe, orders } = shop(policy);
    expect((await observe("order", tea, given)).ok).toBe(true);
    expect(orders).toEqual([tea]);
  });

  it.each<{ name: string; given: CallOptions; invented: string }>([
    { name: "nobody said", given: {}, invented: "item, amount" },
    { name: "was said in part", given: { texts: ["some tea"] }, invented: "amount" },
    {
      name: "stands in an error only",
      given: { observations: [observation({ ok: false, content: "no 2 tea" })] },
      invented: "item, amount",
    },
  ])("does not run with what $name", async ({ given, invented }) => {
    const { observe, orders } = shop(policy);
    const seen = await observe("order", tea, given);
    expect(seen.error).toEqual({
      kind: "invalid_arguments",
      message: expect.stringContaining(`the value of ${invented} was neither written by the user`),
    });
    expect(orders).toEqual([]);
  });
});

describe("a call with a grounded date", () => {
  const book = tool(() => "booked", {
    name: "book",
    description: "Books.",
    schema: z.object({ day: z.iso.date() }),
  });

  it.each([
    { name: "runs with what the user wrote in words", day: "last Monday", ok: true },
    { name: "does not run with another one in words", day: "next Monday", ok: false },
    { name: "does not run with another one in figures", day: "1969-12-30", ok: false },
  ])("$name", async ({ day, ok }) => {
    const { observe } = toolRun([book], { book: { grounded: ["day"] } });
    const seen = await observe("book", { day }, { texts: ["For last Monday, please."] });
    expect(seen.ok).toBe(ok);
  });
});

describe("a call that writes", () => {
  it("comes back to be put on record before it runs", async () => {
    const { call, orders, run } = shop({ effect: "write" });
    expect(await call("order", '{"item":"tea","amount":"2"}')).toEqual({
      kind: "isolated",
      call: { callId: "c1", tool: "order", args: tea, reason: "write" },
    });
    expect(orders).toEqual([]);
    expect(run.budget.begin("toolCalls")).toBeUndefined();
  });

  it("runs when it is on record", async () => {
    const { observe, orders } = shop({ effect: "write" });
    const options: CallOptions = { isCommitted: true, decision: { type: "approve" } };
    expect((await observe("order", tea, options)).ok).toBe(true);
    expect(orders).toEqual([tea]);
  });

  it("is asked about first, then put on record, with what a person changed", async () => {
    const { call } = shop({ effect: "write", needsApproval: true });
    expect((await call("order", tea)).kind).toBe("asks");
    expect(await call("order", tea, { decision: edit({ item: "milk", amount: 1 }) })).toEqual({
      kind: "isolated",
      call: {
        callId: "c1",
        tool: "order",
        args: { item: "milk", amount: 1 },
        reason: "write",
        decided: "edit",
      },
    });
  });

  it("is not put on record when it is refused, does not fit or repeats itself", async () => {
    const { observe } = shop({ effect: "write" });
    expect((await observe("order", tea, { decision: { type: "reject" } })).error?.kind).toBe(
      "denied",
    );
    expect((await observe("order", {})).error?.kind).toBe("invalid_arguments");
    const before = observation({ tool: "order", args: tea, content: "ordered" });
    expect(await observe("order", tea, { observations: [before] })).toMatchObject({ attempts: 0 });
  });
});
