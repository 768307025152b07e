import { describe, expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { readService } from "../../src/services/read-service.js";
import { serviceTools } from "../../src/services/service-tools.js";
import { scriptedModel } from "../../src/testing/index.js";
import { attachedPolicy, type ToolPolicy } from "../../src/tools/policy.js";
import { serving } from "../support/local-server.js";
import { id, orderOf, question } from "../support/order-memory.js";
import { calledService, servedService } from "../support/served-service.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";

const properties = { orderId: { type: "string" }, seats: { type: "integer" } };

/** A definition with two parameters. */
function ofOrders(given: object): ServiceChanges {
  return { parameters: { type: "object", properties }, ...given };
}

describe("a definition's policy", () => {
  const fields = {
    maxResultChars: 200,
    volatile: true,
    grounded: ["orderId"],
    fromMemory: { orderId: "order.orderId" },
  };

  it.each<{ name: string; given: object; policy?: ToolPolicy; attached: object }>([
    { name: "all of its fields", given: fields, attached: fields },
    { name: "trust", given: { trust: "trusted" }, attached: { trust: "trusted" } },
    { name: "no trust", given: {}, attached: { trust: "untrusted" } },
    {
      name: "fields that the code overrides, and others",
      given: { volatile: true, timeoutMs: 10, needsApproval: true },
      policy: { timeoutMs: 20, needsApproval: false },
      attached: { volatile: true, timeoutMs: 20, needsApproval: false },
    },
    {
      name: "a trust that the code overrides",
      given: { trust: "untrusted" },
      policy: { trust: "trusted" },
      attached: { trust: "trusted" },
    },
  ])("reaches the tool: $name", ({ given, policy, attached }) => {
    const options = { environment: {}, ...(policy === undefined ? {} : { policy }) };
    const [tool = {}] = serviceTools([serviceInput(ofOrders(given))], options);
    expect(attachedPolicy(tool)).toMatchObject(attached);
  });

  it.each<{ name: string; args: Record<string, unknown>; key: string }>([
    { name: "a text", args: { orderId: "17" }, key: "17" },
    { name: "a number like its text", args: { orderId: 17 }, key: "17" },
    { name: "nothing: everything", args: { seats: 2 }, key: "" },
    { name: "null: everything", args: { orderId: null }, key: "" },
    { name: "an object: everything", args: { orderId: { id: 17 } }, key: "" },
  ])("names the resource of a call by a parameter: $name", ({ args, key }) => {
    const [tool = {}] = serviceTools([serviceInput(ofOrders({ resource: "orderId" }))]);
    expect(attachedPolicy(tool).resource?.(args)).toBe(key);
  });

  const known = "The parameters are: orderId, seats";
  it.each<{ name: string; given: object; problem: string }>([
    {
      name: "grounds a parameter that is not there",
      given: { grounded: ["seats", "orderid"] },
      problem: `grounded.1: there is no such parameter. Did you mean orderId? ${known}, got "orderid"`,
    },
    {
      name: "has the resource of a parameter that is not there",
      given: { resource: "order" },
      problem: 'resource: there is no such parameter; there are: orderId, seats, got "order"',
    },
    {
      name: "fills a parameter that is not there",
      given: { fromMemory: { orderID_: "order.orderId" } },
      problem: `fromMemory.orderID_: there is no such parameter. Did you mean orderId? ${known}, got "orderID_"`,
    },
    {
      name: "takes from memory what is no id of a name",
      given: { fromMemory: { orderId: "order" } },
      problem: 'fromMemory.orderId: expected "name.id", such as "order.orderId", got "order"',
    },
    {
      name: "trusts in part",
      given: { trust: "partly" },
      problem: 'trust: expected one of "trusted"|"untrusted", got "partly"',
    },
    {
      name: "leaves nothing of a result",
      given: { maxResultChars: 10 },
      problem: "maxResultChars: expected at least 100, got 10",
    },
  ])("is refused if it $name", ({ given, problem }) => {
    const definition = { ...serviceInput(), ...ofOrders(given) };
    expect(() => readService(definition, "a.json")).toThrow(
      `a.json is not a service definition:\n- ${problem}`,
    );
  });
});

describe("the option policy", () => {
  it("is checked as any policy", () => {
    const policy: object = { timeOutMs: 10 };
    expect(() => serviceTools([serviceInput()], { policy })).toThrow(
      /^The policy of "rooms" does not fit: .*timeoutMs/,
    );
  });

  it.each([
    { name: "a GET that is no read", method: "GET", effect: "write", keys: 1 },
    { name: "a POST that only reads", method: "POST", effect: "read", keys: 0 },
  ] as const)("decides how $name is sent", async ({ method, effect, keys }) => {
    const server = await serving((response) => void response.end("{}"));
    const { run } = calledService(server, { request: { method } }, { policy: { effect } });
    await run.observe("rooms", { building: "North" }, { isCommitted: true });
    const sent = server.received.filter(({ headers }) => "idempotency-key" in headers);
    expect(sent).toHaveLength(keys);
  });
});

describe("a run", () => {
  it("cuts a long result at maxResultChars", async () => {
    const { run } = await servedService({ rooms: "x".repeat(900) }, { maxResultChars: 300 });
    const { content } = await run.observe("rooms", {});
    expect(content).toContain("characters cut] …");
  });

  it("fences no trusted result", async () => {
    const { run } = await servedService({ rooms: ["N1"] }, { trust: "trusted" });
    expect((await run.observe("rooms", {})).content).toBe('{"rooms":["N1"]}');
  });

  it("hides a parameter that the memory fills in, and sends its value", async () => {
    const server = await serving((response) => void response.end("{}"));
    const given = ofOrders({ fromMemory: { orderId: "order.orderId" } });
    const { tools } = calledService(server, given);
    const call = {
      toolCalls: [{ name: "rooms", args: { seats: 2, orderId: "made up" }, id: "c1" }],
    };
    using models = scriptedModel([call, "Done."]);
    const graph = createReactGraph({ models, tools, memory: orderOf(id) });
    await graph.invoke(question);
    expect(server.received.map(({ path }) => path)).toEqual([`/rooms?seats=2&orderId=${id}`]);
    expect(models.calls).toHaveLength(2);
    expect(JSON.stringify(models.calls[0])).not.toContain("orderId");
    expect(JSON.stringify(models.calls)).not.toContain(id);
  });
});
