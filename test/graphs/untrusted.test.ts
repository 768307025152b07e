import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { insideFence } from "../../src/prompts/fence.js";
import { type ModelAnswer, type ScriptedCall, scriptedModel } from "../../src/testing/index.js";
import { attacks } from "../support/attacks.js";
import { planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { someOf } from "../support/rows.js";

const ask = { messages: [{ role: "user" as const, content: "What does the page say?" }] };
const schema = z.object({ item: z.string() });
/** Around what the page says, so that it is found in whatever is sent. */
const [begin, end] = ["BEGIN7F3A", "END7F3A"];

/** A page from outside that says this, and an order that must never be made. */
function shop(text: string) {
  const ordered: string[] = [];
  const page = tool(() => `${begin}\n${text}\n${end}`, {
    name: "page",
    description: "Reads.",
    schema,
  });
  const order = tool(
    ({ item }) => {
      ordered.push(item);
      return "ordered";
    },
    { name: "order", description: "Orders.", schema },
  );
  return { ordered, tools: [withPolicy(page, { trust: "untrusted", effect: "read" }), order] };
}

const reads: ModelAnswer = { toolCalls: [{ name: "page", args: { item: "x" } }] };
/** A step that reasons is asked so; what it says are its own words. */
const summing = "Sum up what was found: {{E1}}";
const asked = (messages: readonly BaseMessage[]) => messages.at(-1)?.text ?? "";

/** What the page says, as a model copies it that takes the brackets for what they were. */
function parroted(messages: readonly BaseMessage[]): string {
  const told = messages.map(({ text }) => text).find((text) => text.includes("<untrusted source"));
  const text = insideFence(told ?? "")
    .text.replaceAll("‹", "<")
    .replaceAll("⟦", "[");
  return `The page says: ${text}`;
}

/** The graphs, each with a model that reads the page once and then repeats what it says. */
const graphs: {
  readonly [name: string]: (tools: ReturnType<typeof shop>["tools"]) => {
    graph: { invoke: (input: typeof ask) => Promise<unknown> };
    calls: readonly ScriptedCall[];
  };
} = {
  react: (tools) => {
    const models = scriptedModel((messages) =>
      messages.at(-1)?.type === "tool" ? parroted(messages) : reads,
    );
    return { graph: createReactGraph({ models, tools }), calls: models.calls };
  },
  "react in JSON": (tools) => {
    const action = '{"thought": "Read.", "action": "page", "action_input": {"item": "x"}}';
    const models = scriptedModel((messages) =>
      messages.some(({ text }) => text.includes(begin)) ? parroted(messages) : action,
    );
    return { graph: createReactGraph({ models, tools, protocol: "json" }), calls: models.calls };
  },
  rewoo: (tools) => {
    const plan = planText(stepOf("page", "x"), { tool: "llm", args: { prompt: summing } });
    const models = scriptedModel((messages) => {
      if (asked(messages).startsWith("Sum up")) return "A summary.";
      return asked(messages).includes("in the form above") ? plan : parroted(messages);
    });
    return { graph: createRewooGraph({ models, tools }), calls: models.calls };
  },
  "llm-compiler": (tools) => {
    const plan = planText(stepOf("page", "x"), { tool: "llm", args: { prompt: summing } });
    const models = scriptedModel((messages) => {
      if (asked(messages).includes('"finish"')) return "The page says something.";
      return asked(messages).includes("in the form above") ? plan : "A summary.";
    });
    return { graph: createLlmCompilerGraph({ models, tools }), calls: models.calls };
  },
  "plan-execute": (tools) => {
    const models = scriptedModel((messages) => {
      if (asked(messages).includes('"respond"')) return respondWith("The page says something.");
      if (asked(messages).includes("in the form above"))
        return taskPlanText({ task: "Read the page." });
      return messages.at(-1)?.type === "tool" ? parroted(messages) : reads;
    });
    return { graph: createPlanExecuteGraph({ models, tools }), calls: models.calls };
  },
};

const fences = /<untrusted source="[^"\n]*" mark="(\w+)">[\s\S]*?<\/untrusted mark="\1">/g;

describe.each(Object.entries(graphs))("what a page from outside says to %s", (name, create) => {
  it.each(someOf(attacks, 2, Object.keys(graphs).indexOf(name)))(
    "is data, and orders nothing: $name",
    async ({ text }) => {
      const { ordered, tools } = shop(text);
      const { graph, calls } = create(tools);
      const result = await graph.invoke(ask);
      expect(result).toMatchObject({ outcome: { status: "answered" } });
      expect(ordered).toEqual([]);
      const sent = calls.flatMap(({ messages }) => messages.filter(({ type }) => type !== "ai"));
      const told = sent.map((message) => message.text).filter((each) => each.includes(begin));
      expect(told.length).toBeGreaterThan(0);
      // What models said themselves is theirs: a step's report, a reply that goes back to them.
      const outside = told.filter((each) => !/S1: |Your reply was:/.test(each));
      expect(outside.length).toBeGreaterThan(0);
      for (const each of outside)
        expect(each.replaceAll(fences, "")).not.toMatch(/BEGIN7F3A|END7F3A/);
    },
  );
});
