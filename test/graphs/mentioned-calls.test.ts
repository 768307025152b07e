import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReactGraph, type ToolPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { furtherMentions, mentions, wholeMentions } from "../support/mentioned-calls.js";
import { refundTool } from "../support/refund-tool.js";
import { writtenForms } from "../support/written-calls.js";

const policies = {
  write: { effect: "write" },
  "no stated effect": {},
  approval: { effect: "read", needsApproval: true },
  read: { effect: "read" },
} as const satisfies { readonly [name: string]: ToolPolicy };

type Kind = keyof typeof policies;
const protocols = ["auto", "native", "json"] as const;
type Protocol = (typeof protocols)[number];

/** What comes of a model that says the same whenever it is asked. */
async function say(text: string, kind: Kind, protocol: Protocol) {
  const { runs, refund } = refundTool();
  const model = scriptedModel(() => text);
  const graph = createReactGraph({
    models: model,
    tools: [refund],
    toolPolicies: { refund: policies[kind] },
    protocol,
    checkpointer: new MemorySaver(),
  });
  const question = new HumanMessage("How would one refund order 17? Only explain, do not do it.");
  const result = await graph.invoke({ messages: [question] }, { configurable: { thread_id: "1" } });
  return { runs, result, calls: model.calls.length };
}

type Row = {
  readonly name: string;
  readonly text: string;
  readonly isBare: boolean;
  readonly isOwn: boolean;
};

/** The JSON protocol's own object, and others in turn. */
function someForms(turn: number) {
  return writtenForms.filter((_, at) => at === 0 || at % 9 === turn % 9);
}

const rows: readonly Row[] = [
  ...mentions.flatMap(({ name, isBare = false, around }) =>
    writtenForms.map((form) => ({
      name: `${name}: ${form.name}`,
      text: around(form.write("refund")),
      isBare,
      isOwn: form.isOwn,
    })),
  ),
  ...furtherMentions.flatMap(({ name, around }, at) =>
    someForms(at)
      .map((form) => ({ form, call: form.write("refund") }))
      .filter(({ call }) => around(call) !== call)
      .map(({ form, call }) => ({
        name: `${name}: ${form.name}`,
        text: around(call),
        isBare: false,
        isOwn: form.isOwn,
      })),
  ),
  ...wholeMentions.map((text) => ({ name: text, text, isBare: false, isOwn: false })),
];

/** Every so manyth row of a protocol, so that each form and each mention comes with each kind of tool. */
function rowsOf(protocol: Protocol, every: number): readonly Row[] {
  return rows.filter(isMention(protocol)).filter((_, at) => at % every === 0);
}

/** In the JSON protocol the protocol's own object alone is a call: nothing tells that it is shown only. */
const isMention = (protocol: Protocol) => (row: Row) =>
  !(protocol === "json" && row.isBare && row.isOwn);

/** What came, in the form of what should: no run, no question to a person, the reply as the answer. */
async function cameOf(text: string, kind: Kind, protocol: Protocol) {
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
  expect(new Set(rows.map(({ text }) => text)).size).toBeGreaterThan(600);
});

const shares: { readonly [P in Protocol]: number } = { auto: 1, native: 7, json: 2 };

describe.each(protocols)("in the protocol %s a call that is only mentioned", (protocol) => {
  const some = rowsOf(protocol, 9);

  it.each(rowsOf(protocol, shares[protocol]))("of a write is not made: $name", async ({ text }) => {
    expect(await cameOf(text, "write", protocol)).toEqual(answered(text));
  });

  it.each(some)("of a tool without a stated effect is not made: $name", async ({ text }) => {
    expect(await cameOf(text, "no stated effect", protocol)).toEqual(answered(text));
  });

  it.each(some)("of a tool that needs approval is not asked about: $name", async ({ text }) => {
    expect(await cameOf(text, "approval", protocol)).toEqual(answered(text));
  });

  it.each(some.filter(({ isBare }) => !isBare))(
    "of a read is not made: $name",
    async ({ text }) => {
      expect(await cameOf(text, "read", protocol)).toEqual(answered(text));
    },
  );
});
