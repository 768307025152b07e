import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { cardMessage, tellMessages } from "../../src/index.js";
import { apples, askedForApples, cards, order } from "./cards.js";

const asJson = JSON.stringify({ type: "order_selector", width: 5, ...apples });
const told = "是的，就是苹果这笔订单。";
const clicked = { id: "c1", value: { isSelect: true } };

/** The contents of a conversation that begins with a card, told. */
function contents(...messages: readonly (AIMessage | HumanMessage)[]) {
  return tellMessages(messages, cards).map(({ content }) => content);
}

describe("tellMessages tells", () => {
  it("cards and clicks as JSON, as they are in logs", () => {
    const click = { type: "order_selector", isSelect: true, orderId: "A", itemName: "梨" };

    expect(
      contents(
        new HumanMessage("我买的苹果保质期多久"),
        new AIMessage(asJson),
        new HumanMessage(JSON.stringify(click)),
        new AIMessage('稍等。\n```json\n{"type":"notice","id":"n","text":"七天"}\n```\n还有吗？'),
        new HumanMessage('{"type":"coupon","code":"C","title":"5 off"}'),
        new HumanMessage('{"type":"order_selector","isSelect":false}'),
      ),
    ).toEqual([
      "我买的苹果保质期多久",
      askedForApples,
      told,
      "稍等。\n[卡片：七天]\n还有吗？",
      "You may use this coupon: 5 off.",
      "不是这笔订单。",
    ]);
  });

  it("a click by the card with its id", () => {
    const pears = { ...apples, type: "order_selector", id: 2, itemName: "梨" };

    expect(
      contents(
        new AIMessage(JSON.stringify({ ...pears, id: 1, itemName: "苹果" })),
        new AIMessage(JSON.stringify(pears)),
        new HumanMessage('{"type":"order_selector","id":1,"isSelect":true}'),
      ).at(-1),
    ).toBe(told);
  });

  it.each([
    { name: "alone", typed: "", words: told },
    { name: "before the words beside it", typed: "几天到？", words: `${told}\n几天到？` },
    { name: "once", typed: `${told}\n几天到？`, words: `${told}\n几天到？` },
  ])("a click that is data: $name", ({ typed, words }) => {
    const message = new HumanMessage({ content: typed, additional_kwargs: { cardReply: clicked } });

    expect(contents(cardMessage(order, apples, "c1"), message)).toEqual([askedForApples, words]);
  });

  it("a click that does not count, unless there are words beside it", () => {
    const additional_kwargs = { cardReply: clicked };
    const refused = "(The user clicked on a card that was not shown.)";

    expect(contents(new HumanMessage({ content: "", additional_kwargs }))).toEqual([refused]);
    expect(contents(new HumanMessage({ content: told, additional_kwargs }))).toEqual([told]);
  });

  it("cards in blocks, and leaves the other blocks", () => {
    const image = { type: "image_url", image_url: "https://a.example/1.png" };
    const thought = { type: "reasoning", reasoning: "{" };
    const additional_kwargs = { cardReply: clicked };
    const content = [image, { type: "text", text: "看" }];

    expect(
      contents(
        cardMessage(order, apples, "c1"),
        new AIMessage({ content: [thought, { type: "text", text: asJson }] }),
        new HumanMessage({ content: [image, { type: "coupon", code: "C", title: "5 off" }] }),
        new HumanMessage({ content, additional_kwargs }),
      ).slice(1),
    ).toEqual([
      [thought, { type: "text", text: askedForApples }],
      [image, { type: "text", text: "You may use this coupon: 5 off." }],
      [{ type: "text", text: told }, ...content],
    ]);
  });

  it("new messages with the same ids, names, data and calls", () => {
    const call = { name: "find", args: {}, id: "t1", type: "tool_call" as const };
    const usage_metadata = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const given = [
      Object.assign(new AIMessage({ id: "m1", content: asJson, tool_calls: [call] }), {
        usage_metadata,
      }),
      new AIMessageChunk({ id: "m2", content: asJson, response_metadata: { model: "m" } }),
      new HumanMessage({ id: "m3", name: "Ann", content: asJson, additional_kwargs: { a: 1 } }),
    ];

    const messages = tellMessages(given, cards);

    expect(messages).toMatchObject([
      { id: "m1", content: askedForApples, tool_calls: [call], usage_metadata },
      { id: "m2", content: askedForApples, response_metadata: { model: "m" } },
      { id: "m3", name: "Ann", content: askedForApples, additional_kwargs: { a: 1 } },
    ]);
    expect(given[0]?.content).toBe(asJson);
    expect(messages.map((message) => message.getType())).toEqual(["ai", "ai", "human"]);
  });
});

describe("tellMessages returns as they are", () => {
  it.each([
    { name: "words", message: new HumanMessage("type: {a}") },
    { name: "words with braces", message: new HumanMessage("an error {foo}, type: bar") },
    { name: "JSON without a type", message: new HumanMessage('{"a": 1}') },
    {
      name: "blocks without a card",
      message: new AIMessage({ content: [{ type: "text", text: "a" }] }),
    },
    { name: "a shown card", message: cardMessage(order, apples, "c1") },
    { name: "the system's words", message: new SystemMessage(asJson) },
    { name: "a tool's result", message: new ToolMessage({ content: asJson, tool_call_id: "t" }) },
  ])("$name", ({ message }) => {
    expect(tellMessages([message], cards)[0]).toBe(message);
  });
});

describe("tellMessages never leaves JSON of", () => {
  it.each([
    {
      name: "a broken card between words",
      text: '请看 {"type":"a","orderId":"o1","title":"苹果" "x"} 可以吗？',
      words: "请看 [卡片：苹果；x] 可以吗？",
    },
    {
      name: "a cut card behind words",
      text: '请看 {"type":"a","orderId":"o1","title":"苹果',
      words: "请看 [卡片：苹果]",
    },
    {
      name: "a broken card that Chinese words follow",
      text: '{"type":"a","title":"苹果"...}，请看',
      words: "[卡片：苹果]，请看",
    },
    {
      name: "two cards, the first one broken",
      text: '{"type":"a","title":"苹果"...} 和 {"type":"a","title":"梨"}',
      words: "[卡片：苹果] 和 [卡片：梨]",
    },
    {
      name: "a list of cards",
      text: '[{"type":"a","title":"苹果"},{"type":"b","title":"梨"}]',
      words: "[卡片：苹果]\n[卡片：梨]",
    },
  ])("$name", ({ text, words }) => {
    expect(contents(new AIMessage(text))).toEqual([words]);
  });
});
