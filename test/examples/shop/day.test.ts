import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { isAIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { playDay } from "../../../examples/shop/day.js";
import { day, scriptedDay } from "../../../examples/shop/script.js";
import type { ScriptedCall } from "../../../src/testing/index.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** All that a client sends of a call: the words of its messages, their tool calls, and its tools. */
function requestOf({ messages, tools }: ScriptedCall): string {
  const told = messages.map((message) => [
    message.content,
    isAIMessage(message) ? message.tool_calls : [],
  ]);
  return JSON.stringify([told, tools]);
}

/** Plays the day by its script. Returns what it printed, and what the models were told, by customer. */
async function played() {
  const scripted = scriptedDay(day);
  const models = Object.values(scripted);
  const lines: string[] = [];
  const requests: { readonly customer: string; readonly text: string }[] = [];
  const seen = new Map(models.map((model) => [model, 0]));
  const refunds = await playDay({
    print: (line) => lines.push(line),
    scripted,
    afterTurn: ({ customer }) => {
      for (const model of models) {
        const fresh = model.calls.slice(seen.get(model));
        requests.push(...fresh.map((call) => ({ customer, text: requestOf(call) })));
        seen.set(model, model.calls.length);
      }
    },
  });
  for (const model of models) model.assertExhausted();
  return { printed: lines.join("\n"), refunds, requests, scripted };
}

describe("the day of the shop", async () => {
  const { printed, refunds, requests, scripted } = await played();
  const requestsOf = (wanted: string) =>
    requests.filter(({ customer }) => customer === wanted).map(({ text }) => text);

  it.each([
    { name: "the customer's own level", told: "shop: 您是黑金会员，可以打 8.8 折。" },
    { name: "another customer's level", told: "shop: 您是高级会员，可以打 9.5 折。" },
    {
      name: "where an answer comes from",
      told: "“普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。” (examples/shop/knowledge/faq.csv:2)",
    },
    { name: "a follow-up, completed", told: "completed: 苹果放在冰箱里能放多久呢？" },
    { name: "what is not known", told: "cause: no_knowledge\nshop: 抱歉，我在资料里没有找到" },
    {
      name: "a card",
      told: "with a card: 请问您要咨询的是草莓蛋糕（88 元）这笔订单吗？\n林悦: 是的",
    },
    {
      name: "a refund that a person approved",
      told: '"orderId":"L-70211","customer":"lin"}; from memory: orderId, customer\n  a person decides: approve',
    },
    { name: "what was refunded", told: "shop: 已为您办理草莓蛋糕的退款，共 88 元。" },
    {
      name: "a refund that a person rejected",
      told: "(denied): a person refused this call.\nshop: I am sorry, your refund was not approved.",
    },
    {
      name: "one that the shop refused",
      told: "shop: I am sorry, the toaster was delivered more than 7 days ago.",
    },
    { name: "what is remembered", told: '  remembered: allergy: "I am allergic to nuts"' },
    { name: "what is forgotten", told: "shop: I have forgotten it.\n  remembered: nothing" },
  ])("prints $name", ({ told }) => {
    expect(printed).toContain(told);
  });

  it("refunds one order, once", () => {
    expect(refunds).toEqual(["L-70211"]);
    expect(printed.match(/^ {2}refund_order: \{/gm)).toHaveLength(1);
  });

  it("asks the models as often as the script says", () => {
    const calls = Object.entries(scripted).map(([role, { calls: made }]) => [role, made.length]);
    expect(Object.fromEntries(calls)).toEqual({ router: 9, rewriter: 15, solver: 7, executor: 9 });
  });

  it("tells no model an id of an order or a customer", () => {
    const ids = /L-\d{5}|B-\d{5}|\b(?:lin|berg)\b|orderId/;
    expect(requests.filter(({ text }) => ids.test(text))).toEqual([]);
  });

  it("tells models of a customer nothing of another", () => {
    const [ofLin, ofBerg] = [requestsOf("lin"), requestsOf("berg")];
    // What is looked for is there where it belongs.
    expect(ofLin.some((text) => /林悦, 黑金会员/.test(text))).toBe(true);
    expect(ofBerg.some((text) => /Anna Berg, 高级会员/.test(text))).toBe(true);
    expect(ofBerg.some((text) => text.includes("allergic to nuts"))).toBe(true);
    expect(ofBerg.filter((text) => /林悦|草莓|手机|压坏/.test(text))).toEqual([]);
    expect(ofLin.filter((text) => /Anna|kettle|toaster|nuts/.test(text))).toEqual([]);
  });

  it("prints the same as a program", async () => {
    const { PATH, HOME } = process.env;
    const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [tsx, "examples/shop/day.ts"],
      { cwd: repository, env: { PATH, HOME, LANGSMITH_TRACING: "false" } },
    );
    expect({ stdout, stderr }).toEqual({ stdout: `${printed}\n`, stderr: "" });
  }, 60_000);
});
