import {
  type BaseMessage,
  isAIMessage,
  isBaseMessage,
  isToolMessage,
} from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { expect } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { ConversationState } from "../../src/state/conversation.js";
import { type ModelReply, scriptedModel, type ScriptedCall } from "../../src/testing/index.js";

/** What one run came to. A run that fails has only its error. */
type RunReport =
  | { readonly error: unknown }
  | {
      readonly messages: readonly object[];
      /** The keys of the state besides the messages and the graph's own. */
      readonly state: object;
      /** The values of the interrupts, if the run pauses. */
      readonly interrupts: readonly unknown[];
    };

/** One request to the model, without the line about today that graphs add. */
type Request = {
  readonly system: string | undefined;
  readonly messages: readonly object[];
  /** The names of the tools. */
  readonly tools: readonly string[];
  readonly tool_choice?: unknown;
  readonly stop?: unknown;
};

/** What can be seen of the runs of one agent. */
type Report = {
  readonly runs: readonly RunReport[];
  /** What the model was asked. */
  readonly requests: readonly Request[];
  /** What the parts of the agent recorded. */
  readonly seen: readonly unknown[];
};

/** An agent's options, and what its parts record. Both constructors get their own. */
type Made = {
  readonly replies: readonly ModelReply[];
  readonly seen?: readonly unknown[];
  readonly [option: string]: unknown;
};

/** A case that both constructors are to handle alike. */
export type Scenario = {
  readonly name: string;
  readonly make: () => Made;
  /** The inputs of the runs on one thread; default: one question. */
  readonly runs?: readonly object[];
  readonly context?: object;
  /** What `createAgent` must show, so that the case is the one that its name says. */
  readonly shows: object;
  /** The status of the last run's outcome; default: `answered`, or none for a run that pauses. */
  readonly outcome?: object | undefined;
  /** What differs on purpose, and why. */
  readonly differs?: { readonly why: string; readonly here: (there: Report) => object } | undefined;
};

export const question = { messages: [{ role: "user", content: "What does tea cost?" }] };

/** What `createAgent` shows when it asks the model so often. */
export function asks(times: number) {
  return { requests: Array.from({ length: times }, () => expect.anything()) };
}

/** The result that a call without one has here: model servers refuse a call without a result. */
const unanswered = (id: string) => ({
  type: "tool",
  id,
  name: undefined,
  status: "error",
  content: "This call was interrupted; its result is not known.",
});

/** Messages with that result behind the message of the call. */
export function withUnanswered(messages: readonly object[], id: string): object[] {
  const isOfCall = (message: object) => JSON.stringify(message).includes(`"${id}"`);
  return messages.flatMap((message) => (isOfCall(message) ? [message, unanswered(id)] : [message]));
}

/** The runs go on after a refused call, each with this answer; `createAgent` ends with the refusal. */
export function goesOn(
  answers: readonly string[],
  requests: number,
  seen: readonly unknown[] = [],
) {
  return {
    why: "a refused call does not end a run: the model answers",
    here: () => ({
      ...asks(requests),
      seen,
      runs: answers.map((content) =>
        expect.objectContaining({
          interrupts: [],
          messages: expect.arrayContaining([{ type: "ai", content }]),
        }),
      ),
    }),
  };
}

/** Runs a scenario with both constructors: what is seen here, and what must be. Checks that the case is the one it says. */
export async function compare({ shows, differs, outcome, ...scenario }: Scenario) {
  const there = await reportOf(createAgent, scenario);
  expect(there.report).toMatchObject(shows);
  const here = await reportOf(createReactGraph, scenario);
  const alike = { ...there.report, runs: there.report.runs.map(failedHere) };
  if (differs !== undefined) expect(here.report).not.toEqual(alike);
  const last = outcome ?? expectedOutcome(there.report.runs.at(-1));
  return {
    here: { ...here.report, outcome: here.outcome },
    expected: {
      ...(differs?.here(alike) ?? alike),
      outcome: last && expect.objectContaining(last),
    },
  };
}

/** A run that throws there ends here with the outcome `failed` and a reason that names the error. */
function failedHere(run: RunReport): RunReport {
  if (!("error" in run)) return run;
  return { error: expect.stringContaining(String(run.error).replaceAll(/\s+/g, " ")) };
}

async function reportOf(
  create: (...given: never[]) => unknown,
  { make, runs = [question], context = {} }: Pick<Scenario, "make" | "runs" | "context">,
) {
  const { replies, seen = [], ...options } = make();
  const model = scriptedModel(replies);
  const checkpointer = new MemorySaver();
  const systemPrompt = "You help.";
  const agent = invoker(create, { model, systemPrompt, checkpointer, ...options });
  const reports: RunReport[] = [];
  let outcome: unknown;
  for (const input of runs) {
    const config = { configurable: { thread_id: "1" }, context };
    try {
      const result = await agent.invoke(input, config);
      outcome = Reflect.get(result, "outcome");
      reports.push(runReport(result));
    } catch (error) {
      reports.push({ error: error instanceof Error ? error.message : error });
    }
  }
  const report: Report = { runs: reports, requests: model.calls.map(requestOf), seen };
  return { report, outcome };
}

function expectedOutcome(last: RunReport | undefined): object | undefined {
  if (last === undefined || "error" in last) return { status: "failed" };
  return last.interrupts.length === 0 ? { status: "answered" } : undefined;
}

/** An agent of either kind. */
export type Invoker = { invoke(input: object, config: object): Promise<object> };

/** Makes an agent with a constructor. */
export function invoker(create: (...given: never[]) => unknown, options: object): Invoker {
  const agent: unknown = Reflect.apply(create, undefined, [options]);
  if (isInvoker(agent)) return agent;
  throw new TypeError("not an agent");
}

function isInvoker(value: unknown): value is Invoker {
  return typeof value === "object" && value !== null && "invoke" in value;
}

const graphKeys = new Set([...Object.keys(ConversationState.spec), "__interrupt__"]);
graphKeys.delete("structuredResponse");

function runReport(result: object): RunReport {
  const { status, reason }: { status?: unknown; reason?: unknown } =
    Reflect.get(result, "outcome") ?? {};
  if (status === "failed") return { error: reason };
  const state = Object.fromEntries(
    Object.entries(result).filter(([key, value]) => !graphKeys.has(key) && value !== undefined),
  );
  const asked: unknown = Reflect.get(result, "__interrupt__") ?? [];
  const interrupts = Array.isArray(asked) ? asked.map(({ value }) => value) : [];
  return { messages: messagesIn(Reflect.get(result, "messages")).map(told), state, interrupts };
}

function messagesIn(value: unknown): BaseMessage[] {
  return Array.isArray(value) ? value.filter((each) => isBaseMessage(each)) : [];
}

/** What a message says. The status of a result that is no error is not told: there it is absent, here `success`. */
function told(message: BaseMessage): object {
  const { type, content, name } = message;
  if (isAIMessage(message)) {
    const calls = (message.tool_calls ?? []).map((call) => [call.name, call.args, call.id]);
    return { type, content, ...(calls.length === 0 ? {} : { calls }) };
  }
  if (!isToolMessage(message)) return { type, content };
  const { tool_call_id: id, status, artifact } = message;
  const said = artifact === undefined ? {} : { artifact: message.artifact };
  return { type, content, name, id, ...said, ...(status === "error" ? { status } : {}) };
}

/** The text of a message: each block of LangChain's agents is a paragraph of ours. */
function paragraphsOf({ content, text }: BaseMessage): string {
  if (typeof content === "string") return text;
  const texts = content.map((block) => (isText(block) ? block.text : ""));
  return texts
    .join("\f")
    .replaceAll(/\f(?=\S)/g, "\n\n")
    .replaceAll("\f", "");
}

const isText = (block: object): block is { readonly text: string } =>
  "text" in block && typeof block.text === "string";

function requestOf({ messages, tools, options }: ScriptedCall): Request {
  const [system, ...others] = messages;
  const { tool_choice, stop } = options;
  return {
    system: system && paragraphsOf(system).replace(/\n\nToday is [^)]*\)\./, ""),
    messages: others.map(told),
    tools: tools.map((tool) => tool.function.name),
    ...(tool_choice === undefined ? {} : { tool_choice }),
    ...(stop === undefined ? {} : { stop }),
  };
}
