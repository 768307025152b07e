import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { startShop } from "../../../examples/shop/server.js";
import { checkAgents, loadAgent } from "../../../src/agents/index.js";
import { readFacts } from "../../../src/index.js";
import {
  quoting,
  type RoleReplies,
  scriptedRoles,
  sentTo,
  way,
} from "../../support/scripted-roles.js";

const folder = "examples/agents/grocery";
const service = await startShop();
beforeEach(() => service.reset());
afterAll(() => service.close());

const environment = { SHOP_URL: service.url, PLANGRAPH_ALLOW_HOSTS: service.host };

/** A conversation with the assistant, whose models reply as given. */
async function talk(replies: RoleReplies, { user = "lin", store = new InMemoryStore() } = {}) {
  const models = scriptedRoles(replies);
  const graph = await loadAgent(`${folder}/grocery.agent.yaml`, {
    models,
    environment,
    store,
    checkpointer: new MemorySaver(),
  });
  const who = user === "" ? {} : { langgraph_auth_user: { identity: user } };
  const config = { configurable: { thread_id: "1", ...who } };
  const before = service.asked().length;
  return {
    models,
    store,
    ask: (content: string) => graph.invoke({ messages: [{ role: "user", content }] }, config),
    decide: (type: "approve" | "reject") =>
      graph.invoke(new Command({ resume: { decisions: [{ type }] } }), config),
    requests: () => service.asked().slice(before),
    sent: () => sentTo(models),
  };
}

const refund = (args: Readonly<Record<string, string>> = { reason: "It leaks." }) => ({
  toolCalls: [{ name: "refund_order", args }],
});
const levels = "普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。";
const ids = /L-\d{5}|B-\d{5}|\b(?:lin|berg)\b|"(?:orderId|customer)"/;

describe("the grocery service of files", () => {
  it.each([
    { user: "lin", known: "林悦, 黑金会员", answer: "您是黑金会员，可以打 8.8 折。" },
    { user: "berg", known: "Anna Berg, 高级会员", answer: "您是高级会员，可以打 9.5 折。" },
  ])("answers $user by the level that memory knows", async ({ user, known, answer }) => {
    const chat = await talk(
      { router: [way("knowledge")], solver: [quoting([levels], answer)] },
      { user },
    );
    const result = await chat.ask("我的会员卡可以打几折？");
    expect(result.answer).toContain(answer);
    expect(result.answer).toContain("knowledge/service.md:");
    expect(chat.sent()).toContain(known);
    expect(chat.requests().every((each) => each.endsWith(`for ${user}`))).toBe(true);
  });

  it("refunds only what a person has approved, once", async () => {
    const chat = await talk(
      { executor: [refund(), "Your kettle is refunded: 49 euros."] },
      { user: "berg" },
    );
    const paused = await chat.ask("Please refund my kettle, it leaks.");
    expect(paused.answer).toBeUndefined();
    expect(service.refunds()).toEqual([]);
    expect(chat.requests().filter((each) => each.startsWith("POST"))).toEqual([]);
    const result = await chat.decide("approve");
    expect(result.answer).toBe("Your kettle is refunded: 49 euros.");
    expect(service.refunds()).toEqual(["B-70198"]);
    expect(chat.requests().filter((each) => each.startsWith("POST"))).toHaveLength(1);
    expect(chat.sent()).not.toMatch(ids);
  });

  it("refunds nothing that a person has rejected", async () => {
    const chat = await talk(
      { executor: [refund(), "I am sorry, your refund was not approved."] },
      { user: "berg" },
    );
    await chat.ask("Please refund my kettle, it leaks.");
    const result = await chat.decide("reject");
    expect(result.answer).toBe("I am sorry, your refund was not approved.");
    expect(service.refunds()).toEqual([]);
    expect(chat.requests().filter((each) => each.startsWith("POST"))).toEqual([]);
  });

  it("means the order that the customer speaks of, and tells why it is refused", async () => {
    const chat = await talk(
      {
        executor: [refund(), "I am sorry, the toaster was delivered more than 7 days ago."],
      },
      { user: "berg" },
    );
    await chat.ask("Please refund the toaster, it burns everything.");
    expect(chat.sent()).toContain("order: toaster, 35 euros");
    const result = await chat.decide("approve");
    expect(result.answer).toBe("I am sorry, the toaster was delivered more than 7 days ago.");
    expect(service.refunds()).toEqual([]);
  });

  it("refunds no order of another customer, whatever a model writes", async () => {
    const strange = refund({ reason: "It leaks.", orderId: "B-70198", customer: "berg" });
    const chat = await talk({ executor: [strange, "您的草莓蛋糕已退款，共 88 元。"] });
    await chat.ask("请退款，坏了。");
    await chat.decide("approve");
    expect(service.refunds()).toEqual(["L-70211"]);
    expect(chat.requests().filter((each) => each.endsWith("for berg"))).toEqual([]);
  });

  it("hands over to a person", async () => {
    const handOff = {
      toolCalls: [{ name: "hand_off", args: { reason: "The customer wants a person." } }],
    };
    const chat = await talk({ executor: [handOff] });
    const { outcome } = await chat.ask("I want to talk to a person.");
    expect(outcome).toMatchObject({ status: "handed_off" });
    expect(outcome?.summary).toContain("I want to talk to a person.");
    expect(chat.requests().filter((each) => each.startsWith("POST"))).toEqual([]);
  });

  it("keeps what a customer tells, for this customer alone", async () => {
    const facts = [{ op: "keep", key: "allergy", quote: "I am allergic to nuts" }];
    const first = await talk({ router: [way("knowledge")], facts }, { user: "berg" });
    await first.ask("I am allergic to nuts.");
    const { store } = first;
    expect(await readFacts(store, { tenant: "grocery", user: "berg" })).toHaveLength(1);
    const question = "How long do apples keep?";
    const replies = {
      router: [way("knowledge")],
      solver: [
        quoting(["Apples keep about 20 days in the fridge."], "About 20 days in the fridge."),
      ],
    };
    const later = await talk(replies, { user: "berg", store });
    await later.ask(question);
    expect(later.sent()).toContain("I am allergic to nuts");
    const other = await talk(replies, { user: "lin", store });
    await other.ask(question);
    expect(other.sent()).not.toContain("nuts");
  });

  it.each([
    { name: "what no document says", question: "Do you buy old phones?", claim: "We buy phones." },
    {
      name: "what is for staff",
      question: "How high a voucher may staff give without asking?",
      claim: "Staff may give a voucher of up to 30 yuan without asking.",
    },
  ])("does not answer $name, whatever a model writes", async ({ question, claim }) => {
    const chat = await talk({ router: [way("agent")], executor: [claim] });
    const { outcome, answer } = await chat.ask(question);
    expect(outcome).toMatchObject({ cause: "no_knowledge" });
    expect(answer).not.toContain("phones.");
    expect(answer).not.toContain("30 yuan");
    expect(chat.sent()).not.toContain("up to 30 yuan");
  });

  it("asks nobody for a customer without a login", async () => {
    const chat = await talk({ router: [way("agent")] }, { user: "" });
    await expect(chat.ask("Where is my order?")).rejects.toMatchObject({
      code: "invalid_context",
      message: expect.stringContaining("facts.user: expected a name at {{configurable."),
    });
    expect(chat.requests()).toEqual([]);
    expect(Object.values(chat.models).flatMap(({ calls }) => calls)).toEqual([]);
  });

  it("is checked without the service, whose address it needs", async () => {
    expect((await checkAgents([folder], { environment })).problems).toEqual([]);
    const { problems } = await checkAgents([folder], { environment: {} });
    expect(problems.map(({ path }) => path.join(".")).toSorted()).toEqual([
      "agent.agent",
      "memory.customer.service",
      "memory.order.service",
      "services.0",
    ]);
  });
});
