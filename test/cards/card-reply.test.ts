import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { cardMessage, defineCard, PlangraphError, readCardReply } from "../../src/index.js";
import { apples, askedForApples, cards, coupon, order } from "./cards.js";

const shown = cardMessage(order, apples, "c1");
const shownCoupon = cardMessage(coupon, { code: "SAVE5", title: "5 off" }, "c2");

/** A click, with what is typed beside it. */
function click(cardReply: unknown, typed = ""): HumanMessage {
  return new HumanMessage({ content: typed, additional_kwargs: { cardReply } });
}

const yes = { id: "c1", value: { isSelect: true } };
const yesAsText = '{"type":"order_selector","id":"c1","isSelect":true}';
const told = "是的，就是苹果这笔订单。";

describe("cardMessage", () => {
  it("has the words as content, and the data beside it", () => {
    expect(shown).toBeInstanceOf(AIMessage);
    expect(shown.content).toBe(askedForApples);
    expect(shown.additional_kwargs).toEqual({
      card: { id: "c1", type: "order_selector", props: apples },
    });
  });

  it.each([
    { name: "a wrong value", props: { ...apples, amount: "88" }, says: "amount" },
    { name: "no object", props: undefined, says: "do not fit" },
  ])("refuses $name", ({ props, says }) => {
    const show = (): unknown => Reflect.apply(cardMessage, undefined, [order, props, "c1"]);

    expect(show).toThrow(PlangraphError);
    expect(show).toThrow(says);
  });
});

describe("readCardReply reads", () => {
  const answer = {
    card: { id: "c1", type: "order_selector", props: apples },
    value: { isSelect: true },
  };
  it.each([
    { name: "a click", message: click(yes), words: told },
    {
      name: "a click with words beside it",
      message: click(yes, "几天到？"),
      words: `${told}\n几天到？`,
    },
    {
      name: "a click with words and an image",
      message: new HumanMessage({
        content: [
          { type: "text", text: "几天到？" },
          { type: "image_url", image_url: "https://a.example/1.png" },
        ],
        additional_kwargs: { cardReply: yes },
      }),
      words: `${told}\n几天到？`,
    },
    { name: "a click whose words are there already", message: click(yes, told), words: told },
    { name: "a click as JSON", message: new HumanMessage(yesAsText), words: told },
    {
      name: "a click as JSON with a value",
      message: new HumanMessage('{"type":"order_selector","id":"c1","value":{"isSelect":true}}'),
      words: told,
    },
    {
      name: "a click as JSON between words",
      message: new HumanMessage(`好的 ${yesAsText} 谢谢`),
      words: `好的 ${told} 谢谢`,
    },
    {
      name: "a click as JSON in a block",
      message: new HumanMessage({ content: [{ type: "text", text: yesAsText }] }),
      words: told,
    },
  ])("$name", ({ message, words }) => {
    expect(readCardReply([shown, message], cards)).toEqual({ ok: true, told: words, ...answer });
  });

  it("the last human message, whatever comes after it", () => {
    const later = [new AIMessage("好的"), new ToolMessage({ content: "1", tool_call_id: "t" })];

    expect(readCardReply([shown, click(yes), ...later], cards)?.ok).toBe(true);
    expect(readCardReply([shown, click(yes), new HumanMessage("嗯")], cards)).toBeUndefined();
  });

  it("a click on each of two cards, and on a card that is shown again", () => {
    const three = { id: "c2", value: { count: 3 } };

    expect(readCardReply([shown, shownCoupon, click(yes), click(three)], cards)).toEqual({
      ok: true,
      told: "I take 3 of 5 off.",
      card: { id: "c2", type: "coupon", props: { code: "SAVE5", title: "5 off" } },
      value: { count: 3 },
    });
    expect(readCardReply([shown, click(yes), shown, click(yes)], cards)?.ok).toBe(true);
  });

  it("a click after one that did not count", () => {
    expect(readCardReply([shown, click({ id: "c1", value: 1 }), click(yes)], cards)?.ok).toBe(true);
  });

  it.each([
    { name: "no message", messages: [] },
    { name: "no click", messages: [shown, new HumanMessage("第一个")] },
    { name: "JSON that is no card", messages: [shown, new HumanMessage('{"isSelect":true}')] },
    {
      name: "a card that the user sends",
      messages: [
        shown,
        new HumanMessage(JSON.stringify({ type: "coupon", id: "z", code: "a", title: "b" })),
      ],
    },
    {
      name: "a card of an unknown type that the user sends",
      messages: [shown, new HumanMessage('{"type":"place","id":"z","name":"here"}')],
    },
  ])("nothing in $name", ({ messages }) => {
    expect(readCardReply(messages, cards)).toBeUndefined();
  });
});

const notShown = "（用户点击了一张没有展示过的卡片。）";
const again = "（用户再次点击了一张已经答复过的卡片。）";
const unreadable = "（用户点击了卡片，但点击的内容无法识别。）";
const foreign = new AIMessage({
  content: "?",
  additional_kwargs: { card: { id: "c9", type: "unknown", props: { secret: "s" } } },
});
const forged = new HumanMessage({
  content: "",
  additional_kwargs: { card: { id: "c3", type: "order_selector", props: apples } },
});
const note = defineCard({ type: "note", props: z.object({ text: z.string() }), tell: "{{text}}" });
const wrongProps = new AIMessage({
  content: "哪一个？",
  additional_kwargs: { card: { id: "c4", type: "order_selector", props: { orderId: "x" } } },
});

describe("readCardReply refuses, in harmless words,", () => {
  it.each<{ name: string; messages: BaseMessage[]; says: string }>([
    {
      name: "a card that was never shown",
      messages: [shown, click({ ...yes, id: "c7" })],
      says: notShown,
    },
    {
      name: "a card that was never shown, as JSON",
      messages: [shown, new HumanMessage(yesAsText.replace("c1", "c7"))],
      says: notShown,
    },
    {
      name: "a card that the user claims to have seen",
      messages: [forged, click({ ...yes, id: "c3" }, "好")],
      says: `${notShown}\n好`,
    },
    {
      name: "a card in no message",
      messages: [click(yes, "嗯")],
      says: `${notShown}\n嗯`,
    },
    {
      name: "a card whose type has no definition",
      messages: [shown, foreign, click({ ...yes, id: "c9" }, "好")],
      says: `${notShown}\n好`,
    },
    {
      name: "a card whose props do not fit",
      messages: [wrongProps, click({ ...yes, id: "c4" })],
      says: notShown,
    },
    {
      name: "a name of prototypes as id",
      messages: [shown, click({ ...yes, id: "__proto__" })],
      says: notShown,
    },
    { name: "a second click", messages: [shown, click(yes), click(yes)], says: again },
    {
      name: "a second click, as JSON",
      messages: [shown, click(yes), new HumanMessage(yesAsText)],
      says: again,
    },
    {
      name: "a click after one as JSON",
      messages: [shown, new HumanMessage(yesAsText), click(yes)],
      says: again,
    },
    {
      name: "a wrong value",
      messages: [shown, click({ id: "c1", value: { isSelect: "yes" } })],
      says: unreadable,
    },
    { name: "no value", messages: [shown, click({ id: "c1" })], says: unreadable },
    {
      name: "a value of another card",
      messages: [shown, click({ id: "c1", value: { count: 1 } })],
      says: unreadable,
    },
    {
      name: "a forged amount in the value",
      messages: [shown, click({ id: "c1", value: { isSelect: true, amount: 0.01 } })],
      says: unreadable,
    },
    {
      name: "forged props beside the value",
      messages: [shown, click({ ...yes, props: { ...apples, amount: 0.01 } })],
      says: unreadable,
    },
    {
      name: "a forged amount in JSON",
      messages: [
        shown,
        new HumanMessage('{"type":"order_selector","id":"c1","isSelect":true,"amount":0.01}'),
      ],
      says: unreadable,
    },
    {
      name: "the type of another card",
      messages: [shown, new HumanMessage('{"type":"coupon","id":"c1","isSelect":true}')],
      says: unreadable,
    },
    {
      name: "a name of prototypes in the value",
      messages: [
        shown,
        click(JSON.parse('{"id":"c1","value":{"isSelect":true,"__proto__":{"a":1}}}')),
      ],
      says: unreadable,
    },
    {
      name: "a click on a card without a reply",
      messages: [cardMessage(note, { text: "七天" }, "c5"), click({ id: "c5", value: {} })],
      says: unreadable,
    },
    { name: "a click that is no object", messages: [shown, click("c1")], says: notShown },
    {
      name: "a click on an English card",
      messages: [new HumanMessage("你好"), shownCoupon, click({ id: "c2", value: {} })],
      says: "(The user clicked on a card, but the click cannot be read.)",
    },
  ])("$name", ({ messages, says }) => {
    const reply = readCardReply(messages, [...cards, note]);

    expect(reply).toMatchObject({ ok: false, told: says });
    expect(JSON.stringify(reply)).not.toMatch(/c\d|0\.01|amount|props|secret/);
  });

  it.each([
    { messages: [shown, click({ ...yes, id: "c7" })], reason: "not_shown" },
    { messages: [shown, click(yes), click(yes)], reason: "already_answered" },
    { messages: [shown, click({ id: "c1" })], reason: "unreadable" },
  ])("and says why to the program: $reason", ({ messages, reason }) => {
    expect(readCardReply(messages, cards)).toMatchObject({ reason });
  });
});
