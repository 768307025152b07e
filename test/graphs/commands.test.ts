import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import { Annotation, Command, END, MemorySaver, StateSchema } from "@langchain/langgraph";
import { withLangGraph } from "@langchain/langgraph/zod";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type GraphOptions,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const question = { messages: [{ role: "user" as const, content: "Note it." }] };

/** State keys in the three forms that LangGraph has: the last note, and all of them. */
const schemas = {
  "a zod object": z.object({ note: z.string().default("none") }),
  "a StateSchema": new StateSchema({ note: z.string().default("none") }),
  "an Annotation.Root": Annotation.Root({
    note: Annotation<string>({ reducer: (_, next) => next, default: () => "none" }),
  }),
};
const reduced = z.object({
  notes: withLangGraph(z.array(z.string()), {
    reducer: { schema: z.string(), fn: (all: string[], one: string) => [...all, one] },
    default: () => [],
  }),
});
const stateSchema = Annotation.Root({
  note: Annotation<string>(),
  notes: Annotation<string[], string>({
    reducer: (all, one) => [...all, one],
    default: () => [],
  }),
});

/** A tool that answers with the Command for its text. */
function noting(command: (text: string, callId: string) => Command) {
  const runs: string[] = [];
  const note = tool(
    ({ text }, { toolCallId }: ToolRuntime) => {
      runs.push(text);
      return command(text, toolCallId);
    },
    { name: "note", description: "Notes a text.", schema: z.object({ text: z.string() }) },
  );
  return { note, runs };
}
const noted = (text: string, id: string) =>
  new Command({
    update: {
      note: text,
      notes: text,
      messages: [new ToolMessage({ content: `noted: ${text}`, tool_call_id: id })],
    },
  });
const call = (text: string, id = text) => ({ name: "note", args: { text }, id });

function run(command: (text: string, callId: string) => Command, options: GraphOptions = {}) {
  const { note, runs } = noting(command);
  const models = scriptedModel([{ toolCalls: [call("a")] }, "Done."]);
  const graph = createReactGraph({ models, tools: [note], stateSchema, ...options });
  return { graph, runs, models };
}

describe("a tool that returns a Command", () => {
  it.each(Object.entries(schemas))("updates a key of %s", async (_, schema) => {
    const { graph } = run((note) => new Command({ update: { note } }), { stateSchema: schema });
    expect(await graph.invoke(question)).toMatchObject({
      note: "a",
      observations: [{ ok: true, content: "(no result)" }],
    });
  });

  it("merges with the reducer of a zod field", async () => {
    const { note } = noting((notes) => new Command({ update: { notes } }));
    const models = scriptedModel([{ toolCalls: [call("a"), call("b")] }, "Done."]);
    const graph = createReactGraph({ models, tools: [note], stateSchema: reduced });
    expect(await graph.invoke(question)).toMatchObject({ notes: ["a", "b"] });
  });

  it("gives its message as the result", async () => {
    const { graph, models } = run(noted);
    const { messages, observations } = await graph.invoke(question);
    expect(messages.map(({ text }) => text)).toEqual(["Note it.", "", "noted: a", "Done."]);
    expect(observations).toMatchObject([{ ok: true, content: "noted: a", attempts: 1 }]);
    expect(models.calls[1]?.messages.at(-1)?.text).toBe("noted: a");
  });

  it("adds its other messages behind the results of the turn", async () => {
    const { note } = noting(
      (text, id) =>
        new Command({
          update: {
            messages: [
              new HumanMessage(`after ${text}`),
              new ToolMessage({ content: text, tool_call_id: id }),
            ],
          },
        }),
    );
    const models = scriptedModel([{ toolCalls: [call("a"), call("b")] }, "Done."]);
    const { messages } = await createReactGraph({ models, tools: [note] }).invoke(question);
    const texts = ["Note it.", "", "a", "b", "after a", "after b", "Done."];
    expect(messages.map(({ text }) => text)).toEqual(texts);
  });

  it("merges what a reducer merges; of other values the last in call order counts", async () => {
    const { note } = noting(noted);
    const models = scriptedModel([{ toolCalls: [call("a"), call("b")] }, "Done."]);
    const graph = createReactGraph({ models, tools: [note], stateSchema });
    expect(await graph.invoke(question)).toMatchObject({ note: "b", notes: ["a", "b"] });
  });

  it("is carried out once, over pauses and superstep by superstep", async () => {
    const { note, runs } = noting((text) => {
      const messages = [new HumanMessage(`after ${text}`)];
      return new Command({ update: { note: text, notes: text, messages } });
    });
    const models = scriptedModel([{ toolCalls: [call("a"), call("b")] }, "Done."]);
    const approved = withPolicy(note, {
      needsApproval: (args) => JSON.stringify(args).includes("b"),
    });
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools: [approved], stateSchema, checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    expect(runs).toEqual([]);
    const resume = { decisions: [{ type: "approve" }] };
    const result = await graph.invoke(new Command({ resume }), thread);
    expect(result).toMatchObject({ notes: ["a", "b"], answer: "Done." });
    expect(runs).toEqual(["a", "b"]);
    const texts = ["Note it.", "", "(no result)", "(no result)", "after a", "after b", "Done."];
    expect(result.messages.map(({ text }) => text)).toEqual(texts);
  });

  it("ends the run with its result where it goes to the end", async () => {
    const { graph, models } = run(
      (content, id) =>
        new Command({
          update: { messages: [new ToolMessage({ content, tool_call_id: id })] },
          goto: END,
        }),
    );
    const { answer, outcome } = await graph.invoke(question);
    expect({ answer, outcome }).toEqual({ answer: "a", outcome: { status: "answered" } });
    expect(models.calls).toHaveLength(1);
  });

  it("ends the run with the first result that goes to the end, once all calls of the turn are done", async () => {
    const { note, runs } = noting((content, id) => {
      const messages = [new ToolMessage({ content, tool_call_id: id })];
      return new Command({ update: { messages }, ...(content === "a" ? {} : { goto: END }) });
    });
    const writing = withPolicy(note, {
      effect: "write",
      needsApproval: (args) => JSON.stringify(args).includes("d"),
    });
    const calls = ["a", "b", "c", "d"].map((text) => call(text));
    const models = scriptedModel([{ toolCalls: calls }]);
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools: [writing], checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    const resume = { decisions: [{ type: "approve" }] };
    const { answer, outcome, messages } = await graph.invoke(new Command({ resume }), thread);
    expect({ answer, outcome, runs }).toEqual({
      answer: "b",
      outcome: { status: "answered" },
      runs: ["a", "b", "c", "d"],
    });
    expect(messages.map(({ text }) => text)).toEqual(["Note it.", "", "a", "b", "c", "d", "b"]);
  });

  it.each([
    {
      name: "updates a key that no schema has",
      command: () => new Command({ update: { usage: {} } }),
      error: 'its Command updates the state key "usage", which no stateSchema has',
    },
    {
      name: "goes to a node",
      command: () => new Command({ goto: "agent" }),
      error: 'its Command goes to "agent"; only the end of this graph is possible',
    },
    {
      name: "goes to a surrounding graph that is none",
      command: () => new Command({ goto: "bob", graph: Command.PARENT }),
      error:
        'its Command goes to "bob" of the surrounding graph, and this graph is no node of a graph of yours',
    },
    {
      name: "updates with something else",
      command: () => Reflect.construct(Command, [{ update: "all" }]),
      error: "its Command has an update that is neither an object nor a list",
    },
    {
      name: "has messages that are none",
      command: () => new Command({ update: { messages: [{ no: "message" }] } }),
      error: "its Command has messages that LangChain cannot read",
    },
  ])("says that it ran where it $name, and changes no state", async ({ command, error }) => {
    const { graph, runs } = run(command);
    const result = await graph.invoke(question);
    expect(result.observations).toMatchObject([
      { ok: false, error: { kind: "internal" }, maybeDuplicate: true },
    ]);
    expect(result.observations[0]?.content).toContain(`the tool ran, but ${error}`);
    expect(result).toMatchObject({ notes: [], outcome: { status: "answered" } });
    expect(runs).toEqual(["a"]);
  });

  it("updates the state in a plan, too", async () => {
    const { note } = noting(noted);
    const plan = { steps: [{ id: "E1", tool: "note", args: { text: "a" } }] };
    const models = scriptedModel([JSON.stringify(plan), "Done."]);
    const graph = createRewooGraph({ models, tools: [note], stateSchema });
    expect(await graph.invoke(question)).toMatchObject({
      note: "a",
      notes: ["a"],
      observations: [{ content: "noted: a" }],
    });
  });
});

describe("the runtime of a tool", () => {
  it("has the run's state in a task of plan-execute, too", async () => {
    const seen: unknown[] = [];
    const look = tool(
      (_, { state }: ToolRuntime) => {
        seen.push(z.object({ note: z.string(), notes: z.array(z.string()) }).parse(state));
        return "seen";
      },
      { name: "look", description: "Looks.", schema: z.object({}) },
    );
    const plan = JSON.stringify({ steps: [{ id: "S1", task: "Look.", final: true }] });
    const calling = { toolCalls: [{ name: "look", args: {}, id: "c1" }] };
    const models = scriptedModel([plan, calling, "Done."]);
    const graph = createPlanExecuteGraph({ models, tools: [look], stateSchema });
    const result = await graph.invoke({ ...question, note: "kept", notes: "one" });
    expect(seen).toEqual([{ note: "kept", notes: ["one"] }]);
    expect(result).toMatchObject({ note: "kept", notes: ["one"], answer: "Done." });
  });

  it("has what LangChain's has", async () => {
    const seen: object[] = [];
    const look = tool(
      (_, { state, toolCallId, config, context, store, writer, configurable }: ToolRuntime) => {
        const { note, messages } = z
          .object({ note: z.string(), messages: z.array(z.instanceof(Object)) })
          .parse(state);
        const types = { config, store, writer };
        seen.push({ note, count: messages.length, toolCallId, context, configurable, types });
        return "seen";
      },
      { name: "look", description: "Looks.", schema: z.object({}) },
    );
    const models = scriptedModel([{ toolCalls: [{ name: "look", args: {}, id: "c1" }] }, "Done."]);
    const graph = createReactGraph({ models, tools: [look], stateSchema });
    const config = { context: { tenant: "t1" }, configurable: { user: "u1" } };
    const input = { ...question, note: "kept" };
    await graph.invoke(input, config);
    expect(seen).toMatchObject([
      {
        note: "kept",
        count: 2,
        toolCallId: "c1",
        context: { tenant: "t1" },
        configurable: { user: "u1" },
        types: { config: { configurable: { user: "u1" } } },
      },
    ]);
  });
});

it("keeps the user's keys from turn to turn", async () => {
  const { note } = noting(noted);
  const models = scriptedModel([{ toolCalls: [call("a")] }, "Done.", "Yes."]);
  const checkpointer = new MemorySaver();
  const graph = createReactGraph({ models, tools: [note], stateSchema, checkpointer });
  const thread = { configurable: { thread_id: "1" } };
  await graph.invoke(question, thread);
  expect(
    await graph.invoke({ messages: [new AIMessage("?"), new HumanMessage("Noted?")] }, thread),
  ).toMatchObject({ note: "a", answer: "Yes." });
});
