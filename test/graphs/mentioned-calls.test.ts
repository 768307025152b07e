import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { type MentionRow, mentionRows } from "../support/mentioned-calls.js";
import { type RefundKind, refundPolicies, refundTool } from "../support/refund-tool.js";
import { someOf } from "../support/rows.js";

const protocols = ["auto", "native", "json"] as const;
type Protocol = (typeof protocols)[number];

/** What comes of a model that says the same whenever it is asked. */
async function say(text: string, kind: RefundKind, protocol: Protocol) {
  const { runs, refund } = refundTool();
  const model = scriptedModel(() => text);
  const graph = createReactGraph({
    models: model,
    tools: [refund],
    toolPolicies: { refund: refundPolicies[kind] },
    protocol,
    checkpointer: new MemorySaver(),
  });
  const question = new HumanMessage("How would one refund order 17? Only explain, do not do it.");
  const result = await graph.invoke({ messages: [question] }, { configurable: { thread_id: "1" } });
  return { runs, result, calls: model.calls.length };
}

/** Every so manyth row of a protocol, so that each form and each mention comes with each kind of tool. */
function rowsOf(protocol: Protocol, every: number): readonly MentionRow[] {
  return mentionRows.filter(isMention(protocol)).filter((_, at) => at % every === 0);
}

/** In the JSON protocol the protocol's own object alone is a call: nothing tells that it is shown only. */
const isMention = (protocol: Protocol) => (row: MentionRow) =>
  !(protocol === "json" && row.isBare && row.isOwn);

/** What came, in the form of what should: no run, no question to a person, the reply as the answer. */
async function cameOf(text: string, kind: RefundKind, protocol: Protocol) {
  const { runs, result, calls } = await say(text, kind, protocol);
  const { answer, outcome } = result;
  const isWaiting = Object.hasOwn(result, "__interrupt__");
  const isAskedOnce = calls <= (protocol === "native" ? 1 : 2);
  return { runs, answer: answer?.trim(), status: outcome?.status, isWaiting, isAskedOnce };
}

const answered = (text: string) => {
  return { runs: [], answer: text.trim(), status: "answered", isWaiting: false, isAskedOnce: true };
};

it("has hundreds of replies that mention a call", () => {
  expect(new Set(mentionRows.map(({ text }) => text)).size).toBeGreaterThan(600);
});

const shares: { readonly [P in Protocol]: number } = { auto: 1, native: 7, json: 2 };

describe.each(protocols)("in the protocol %s a call that is only mentioned", (protocol) => {
  const some = (turn: number) => someOf(rowsOf(protocol, 9), 8, turn);

  it.each(someOf(rowsOf(protocol, shares[protocol]), 17))(
    "of a write is not made: $name",
    async ({ text }) => {
      expect(await cameOf(text, "write", protocol)).toEqual(answered(text));
    },
  );

  it.each(some(0))("of a tool without a stated effect is not made: $name", async ({ text }) => {
    expect(await cameOf(text, "no stated effect", protocol)).toEqual(answered(text));
  });

  it.each(some(1))("of a tool that needs approval is not asked about: $name", async ({ text }) => {
    expect(await cameOf(text, "approval", protocol)).toEqual(answered(text));
  });

  it.each(some(2).filter(({ isBare }) => !isBare))(
    "of a read is not made: $name",
    async ({ text }) => {
      expect(await cameOf(text, "read", protocol)).toEqual(answered(text));
    },
  );
});
