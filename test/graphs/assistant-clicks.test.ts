import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  cardResult,
  createReactGraph,
  defineCard,
  type MemoryProvider,
  type MemoryRequest,
  type PersonRequests,
  withPolicy,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { asked, assistant } from "../support/assistants.js";
import { requestText } from "../support/request-text.js";

const order = defineCard({
  type: "order_selector",
  props: z.object({ orderId: z.string(), item: z.string() }),
  tell: "Is it the {{item}}?",
  reply: z.object({ isSelect: z.boolean() }),
  tellReply: (reply, { item }) => (reply.isSelect ? `Yes, the ${item}.` : `Not the ${item}.`),
});
const props = { orderId: "o-5521", item: "apples" };

const showOrder = tool(() => cardResult(order, props), {
  name: "show_order",
  description: "Shows the customer the card of the last order.",
  schema: z.object({}),
  responseFormat: "content_and_artifact",
});

/** A tool that refunds what memory names, and what it was called with. */
function refunding() {
  const refunded: string[] = [];
  const refund = withPolicy(
    tool(
      ({ orderId }: { orderId: string }) => {
        refunded.push(orderId);
        return "The apples are refunded.";
      },
      {
        name: "refund",
        description: "Refunds the order in question.",
        schema: z.object({ orderId: z.string() }),
      },
    ),
    { effect: "write", needsApproval: true, fromMemory: { orderId: "order.orderId" } },
  );
  return { refund, refunded };
}

/** The order that the user has clicked on. */
const clickedOrder: MemoryProvider = ({ clicked }) =>
  clicked?.type === "order_selector" && clicked.value["isSelect"] === true
    ? {
        text: "The order in question: apples.",
        ids: { orderId: order.props.parse(clicked.props).orderId },
      }
    : undefined;

const show = { toolCalls: [{ name: "show_order", args: {} }] };
const callRefund = { toolCalls: [{ name: "refund", args: {} }] };

function click(id: string, value: unknown = { isSelect: true }) {
  return new HumanMessage({
    content: "Please refund it.",
    additional_kwargs: { cardReply: { id, value } },
  });
}

/** What a paused run asks a person for. */
function requestsOf(result: unknown) {
  return isInterrupted<PersonRequests>(result)
    ? result[INTERRUPT].flatMap(({ value }) => value?.action_requests ?? [])
    : [];
}

/** An assistant that shows the order as a card, and its thread with the card in it. */
async function afterCard(replies: readonly ModelReply[] = []) {
  const { refund, refunded } = refunding();
  const checkpointer = new MemorySaver();
  const options = {
    cards: [order],
    memory: { order: clickedOrder },
    tools: [showOrder, refund],
    isWithoutKnowledge: true,
    checkpointer,
  };
  const first = await assistant({ ...options, agent: [show, "Is it the apples?"] });
  const config = { configurable: { thread_id: "t" } };
  const shown = await first.graph.invoke(asked("Refund my order."), config);
  const [card] = z
    .array(z.object({ callId: z.string(), component: z.string() }))
    .parse(shown.messages.at(-1)?.additional_kwargs["render"]);
  const again = (agent: readonly ModelReply[]) => assistant({ ...options, agent });
  return { ...(await again(replies)), again, shown, card, config, refunded };
}

describe("a card that a tool shows", () => {
  it("is a sentence for models and data for the front end", async () => {
    const { shown, card } = await afterCard();
    expect(card?.component).toBe("order_selector");
    expect(shown.answer).toBe("Is it the apples?");
    expect(shown.observations[0]).toMatchObject({
      content: "Is it the apples?",
      render: { component: "order_selector", props },
    });
  });

  it("takes a click, whose id goes to a tool and to no model", async () => {
    const { graph, models, card, config, refunded } = await afterCard([callRefund]);
    const result = await graph.invoke({ messages: [click(card?.callId ?? "")] }, config);
    expect(result.clicked).toMatchObject({ type: "order_selector", props });
    expect(requestsOf(result)).toMatchObject([{ name: "refund", args: { orderId: "o-5521" } }]);
    expect(models.agent.calls.map(requestText).join("\n")).not.toContain("o-5521");
    expect(refunded).toEqual([]);
  });

  it("is the order still after a pause, in a new process", async () => {
    const { graph, again, card, config, refunded } = await afterCard([callRefund]);
    await graph.invoke({ messages: [click(card?.callId ?? "")] }, config);
    const next = await again(["The apples are refunded."]);
    const resume = { decisions: [{ type: "approve" }] };
    const result = await next.graph.invoke(new Command({ resume }), config);
    expect(refunded).toEqual(["o-5521"]);
    expect(result.answer).toBe("The apples are refunded.");
    expect(requestText(next.models.agent.calls[0])).toContain("The order in question: apples.");
  });

  it("is the order in the next messages, too", async () => {
    const { graph, again, card, config } = await afterCard(["What is wrong with it?"]);
    await graph.invoke({ messages: [click(card?.callId ?? "")] }, config);
    const next = await again([callRefund]);
    const result = await next.graph.invoke(asked("It is rotten."), config);
    expect(result.clicked).toBeUndefined();
    expect(requestsOf(result)).toMatchObject([{ name: "refund", args: { orderId: "o-5521" } }]);
  });

  it.each([
    { name: "another card", id: "call_other", value: { isSelect: true } },
    { name: "another value", id: undefined, value: { isSelect: "yes" } },
    {
      name: "an order of its own",
      id: undefined,
      value: { isSelect: true, orderId: "o-9" },
    },
    { name: "no", id: undefined, value: { isSelect: false } },
  ])("gives no id for a click with $name", async ({ id, value }) => {
    const { graph, card, config, refunded } = await afterCard([callRefund, "Which order is it?"]);
    const clicks = click(id ?? card?.callId ?? "", value);
    const result = await graph.invoke({ messages: [clicks] }, config);
    expect(requestsOf(result)).toEqual([]);
    expect(result.observations.at(-1)).toMatchObject({
      tool: "refund",
      ok: false,
      error: { kind: "unavailable" },
    });
    expect(refunded).toEqual([]);
  });
});

describe("a provider's request", () => {
  it("has the user's question, also in a run inside the run", async () => {
    const heard: string[] = [];
    const inner = createReactGraph({
      models: scriptedModel(["Done."]),
      memory: {
        inner: ({ question, clicked }: MemoryRequest) => {
          heard.push(`${question} ${clicked?.id ?? "without a card"}`);
        },
      },
    });
    const graph = createReactGraph({
      models: scriptedModel([
        { toolCalls: [{ name: "helper", args: { question: "A question of the model" } }] },
        "Done.",
      ]),
      tools: [asTool(inner, { name: "helper", description: "Helps." })],
    });
    await graph.invoke(asked("What the user wrote"));
    expect(heard).toEqual(["What the user wrote without a card"]);
  });
});
