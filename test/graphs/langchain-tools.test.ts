import { type BaseMessage, HumanMessage, isToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { InMemoryStore } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type Observation,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { langchainTools, png } from "../support/langchain-tools.js";
import { finishWith, planText } from "../support/plans.js";
import { taskPlanText } from "../support/task-plans.js";
import { someOf } from "../support/rows.js";

type Told = Partial<Record<"content" | "name" | "tool_call_id" | "status" | "artifact", unknown>>;

/** The results that differ from createAgent's on purpose. */
const differing: {
  readonly [name: string]: {
    readonly reason: string;
    /** In the message of the result. */
    readonly message?: Told;
    /** In an observation, where its content is not the message's. */
    readonly content?: unknown;
    /** A plan is refused before the tool runs. */
    readonly isUnplanned?: true;
  };
} = {
  undefined: {
    reason: "model servers refuse an empty result, and models repeat the call",
    message: { content: "(no result)" },
  },
  "an empty string": { reason: "as for undefined", message: { content: "(no result)" } },
  "blocks of text": {
    reason: "a text can be cut, fenced and referred to, and every server takes it",
    message: { content: "one\ntwo" },
  },
  "a block with an image": {
    reason: "a note stands for the image where only text is read",
    message: {
      content: [
        { type: "text", text: "[image]" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
      ],
    },
    content: "[image]",
  },
  "a block with a file": {
    reason: "a note stands for the file where only text is read",
    message: {
      content: [
        { type: "text", text: "[file]" },
        {
          type: "file",
          source_type: "base64",
          mime_type: "application/pdf",
          data: "JVBERi0xLjQK",
          metadata: { filename: "document.pdf" },
        },
      ],
    },
    content: "[file]",
  },
  "a block with audio": {
    reason: "it is no recording that providers take",
    message: { content: "[audio] (This cannot be read here.)" },
  },
  "a ToolMessage": { reason: "the status is always said", message: { status: "success" } },
  "a Command with a ToolMessage": {
    reason: "the status is always said",
    message: { status: "success" },
  },
  "a thrown Error": {
    reason: "the kind of an error says who can repair it",
    message: { content: "Error (rejected): It broke." },
  },
  "arguments that do not fit": {
    reason: "the model reads what does not fit and the schema, without a stack",
    message: {
      content: expect.stringMatching(
        /^Error \(invalid_arguments\): The arguments of "probe" do not fit:\n- other: expected number, got nothing/,
      ),
    },
    isUnplanned: true,
  },
  "a Map": { reason: "createAgent loses the data", message: { content: '{"a":1}' } },
};

const args = { q: "a" };
const calling = { toolCalls: [{ name: "probe", args, id: "c1" }] };
const plan = planText({ tool: "probe", args });
const tasks = taskPlanText({ task: "Probe a.", final: true });
const stateSchema = z.object({ note: z.string().default("none") });
const contextSchema = z.object({ tenant: z.string() });
const input = () => ({ messages: [new HumanMessage("Probe a.")], note: "kept" });
const config = { context: { tenant: "t1" } };

function toldIn(messages: readonly BaseMessage[]): Told[] {
  return messages.filter(isToolMessage).map(({ content, name, tool_call_id, status, ...rest }) => {
    const { artifact }: { readonly artifact?: unknown } = rest;
    return { content, name, tool_call_id, status, artifact };
  });
}

async function inCreateAgent(probe: StructuredToolInterface): Promise<Told[]> {
  const model = scriptedModel([calling, "Done."]);
  const store = new InMemoryStore();
  const agent = createAgent({ model, tools: [probe], stateSchema, contextSchema, store });
  const { messages } = await agent.invoke(input(), config);
  return toldIn(messages);
}

/** What each graph of plans consists of here. */
function given(probe: StructuredToolInterface, ...replies: Parameters<typeof scriptedModel>[0][]) {
  return {
    models: scriptedModel(replies.flat()),
    tools: [probe],
    stateSchema,
    store: new InMemoryStore(),
  };
}

type Observed = { readonly observations: readonly Observation[] };
const planning: {
  readonly [graph: string]: (probe: StructuredToolInterface) => Promise<Observed | undefined>;
} = {
  rewoo: (probe) => createRewooGraph(given(probe, [plan, "Done."])).invoke(input(), config),
  "llm-compiler": (probe) =>
    createLlmCompilerGraph(given(probe, [plan, finishWith("Done.")])).invoke(input(), config),
  "plan-execute": async (probe) => {
    const graph = createPlanExecuteGraph(given(probe, [tasks, calling, "Done."]));
    return (await graph.invoke(input(), config)).observations[0]?.run;
  },
};

describe.each(Object.entries(langchainTools))("a tool with %s", (name, make) => {
  const { message = {}, content, isUnplanned = false } = differing[name] ?? {};

  it("gives react the message of createAgent, or another one with a reason", async () => {
    const [expected] = await inCreateAgent(make());
    const graph = createReactGraph(given(make(), [calling, "Done."]));
    const { messages } = await graph.invoke(input(), config);
    expect(toldIn(messages)).toEqual([{ ...expected, ...message }]);
    const isEqual = JSON.stringify(toldIn(messages)) === JSON.stringify([expected]);
    expect(isEqual).toBe(!(name in differing));
  });

  const graphs = Object.entries(planning);
  const turn = Object.keys(langchainTools).indexOf(name);
  it.each(someOf(graphs, graphs.length, turn))("gives %s the same content", async (graph, run) => {
    const [expected] = await inCreateAgent(make());
    const result = await run(make());
    const found = result?.observations.map((each) => each.content);
    const isRefused = isUnplanned && graph !== "plan-execute";
    expect(found).toEqual(isRefused ? [] : [content ?? message.content ?? expected?.content]);
  });
});
