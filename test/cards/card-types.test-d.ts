import { expectTypeOf } from "vitest";
import { z } from "zod";

import { type Card, type CardReply, cardMessage, defineCard, tellCard } from "../../src/index.js";

const order = defineCard({
  type: "order",
  props: z.object({ name: z.string(), amount: z.number().optional(), day: z.coerce.date() }),
  tell: (props) => {
    expectTypeOf(props).toEqualTypeOf<{ name: string; amount?: number | undefined; day: Date }>();
    return props.name;
  },
  reply: z.object({ isSelect: z.boolean() }),
  tellReply: (reply, props) => {
    expectTypeOf(reply).toEqualTypeOf<{ isSelect: boolean }>();
    expectTypeOf(props.name).toEqualTypeOf<string>();
    return reply.isSelect ? props.name : "no";
  },
});

// A card without a reply; both fit a list of cards.
const note = defineCard({ type: "note", props: z.object({ text: z.string() }), tell: "{{text}}" });
const cards: readonly Card[] = [order, note];
expectTypeOf(order.type).toEqualTypeOf<"order">();
expectTypeOf(tellCard(cards, {})).toEqualTypeOf<string>();
tellCard([order, note], {});

// A message's props are those of its card, before they are read.
cardMessage(note, { text: "a" }, "c1");
// @ts-expect-error -- there is no such prop
cardMessage(note, { text: "a", more: 1 }, "c1");
// @ts-expect-error -- it is a text
cardMessage(note, { text: 1 }, "c1");

// @ts-expect-error -- what a click says needs words
defineCard({ type: "a", props: z.object({}), tell: "a", reply: z.object({}) });
// @ts-expect-error -- there is no such prop
defineCard({ type: "a", props: z.object({ b: z.string() }), tell: ({ c }) => c });

// A click that counts has data, another one its reason.
declare const reply: CardReply;
if (reply.ok) expectTypeOf(reply.value).toEqualTypeOf<Readonly<Record<string, unknown>>>();
else expectTypeOf(reply.reason).toEqualTypeOf<"not_shown" | "already_answered" | "unreadable">();
