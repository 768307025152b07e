import { PlangraphError } from "../errors.js";
import type { Json, JsonObject } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import { allSpans, spanTree } from "../observe/span-tree.js";
import { taskTool } from "../plan/step.js";
import { insideFence } from "../prompts/fence.js";
import { llmToolName } from "../tools/builtin/llm.js";
import type { TracedEvent } from "./trace-file.js";
import type { TracedRun } from "./traced-run.js";

/** The functions that make the graphs whose runs can be replayed. */
const creators: ReadonlyMap<string, string> = new Map([
  ["react", "createReactGraph"],
  ["rewoo", "createRewooGraph"],
  ["plan-execute", "createPlanExecuteGraph"],
  ["llm-compiler", "createLlmCompilerGraph"],
]);

/** Steps that need no tool of the user's. */
const builtIn: ReadonlySet<string> = new Set([llmToolName, taskTool]);

/** A recorded call of a tool. */
type RecordedCall = {
  readonly tool: string;
  readonly args: Json;
  readonly result: string;
  readonly ok: boolean;
};

/**
 * A test that replays a recorded run: the model says what it said, and each tool gives the results that it gave for the
 * same arguments. Throws `invalid_input` for a run without content, and for a graph that is not one of ours alone.
 */
export function replayTest(run: TracedRun, traced: readonly TracedEvent[]): string {
  const events = traced.map(({ event }) => event);
  const create = creators.get(run.graph);
  if (create === undefined) {
    const known = [...creators.keys()].join(", ");
    throw unusable(
      run,
      `its graph "${run.graph}" cannot be made anew from the trace; runs of ${known} can`,
    );
  }
  if (run.question === undefined) throw unusable(run, "its content was not kept");
  const replies = events.filter((event) => event.type === "model_finished").map(replyOf);
  const calls = recordedCalls(events);
  const end = events.findLast((event) => event.type === "run_finished" && event.runId === run.id);
  return `import { tool } from "@langchain/core/tools";
import { ${create} } from "plangraph";
import { scriptedModel } from "plangraph/testing";
import { expect, it } from "vitest";

// Run ${run.id}, recorded ${new Date(run.startedAt).toISOString()}.${remarks(events, end)}
const replies = ${literal(replies)};
const calls = ${literal(calls)};

const names = ${literal(toolNames(events))};
const tools = names.map((name) =>
  tool(
    (args) => {
      const same = (call) => call.tool === name && JSON.stringify(call.args) === JSON.stringify(args);
      const at = calls.findIndex(same);
      if (at < 0) throw new Error(\`\${name} was not called with \${JSON.stringify(args)}\`);
      const [call] = calls.splice(at, 1);
      if (!call.ok) throw new Error(call.result);
      return call.result;
    },
    { name, description: name, schema: { type: "object", additionalProperties: true } },
  ),
);

it(${JSON.stringify(run.question.slice(0, 100))}, async () => {
  const graph = ${create}({ models: scriptedModel(replies), tools });
  const result = await graph.invoke({
    messages: [{ role: "user", content: ${JSON.stringify(run.question)} }],
  });
${expectations(end)}
});
`;
}

/** What the trace does not know of the graph's options. */
function remarks(events: readonly AgentEvent[], end: AgentEvent | undefined): string {
  const limit = end?.type === "run_finished" ? end.outcome.limit : undefined;
  const isPaused = events.some((event) => event.type === "input_needed");
  return [
    ...(limit === undefined
      ? []
      : [`\n// It reached the limit ${limit}: give the graph its limits.`]),
    ...(isPaused
      ? ["\n// It waited for people: replay needs a checkpointer and their decisions."]
      : []),
  ].join("");
}

function expectations(end: AgentEvent | undefined): string {
  if (end?.type !== "run_finished") return "  expect(result.outcome).toBeDefined();";
  const { outcome, content } = end;
  return [
    `  expect(result.outcome).toMatchObject(${literal({ ...outcome }, 1)});`,
    ...(content === undefined
      ? []
      : [`  expect(result.answer).toBe(${JSON.stringify(content.answer)});`]),
  ].join("\n");
}

/** What the scripted model says again. */
function replyOf(event: AgentEvent): JsonObject {
  const {
    text = "",
    thought,
    calls = [],
  } = event.type === "model_finished" ? (event.content ?? {}) : {};
  return {
    ...(text === "" && calls.length > 0 ? {} : { text }),
    ...(thought === undefined ? {} : { reasoning: thought }),
    ...(calls.length === 0
      ? {}
      : { toolCalls: calls.map(({ id, name, args }) => ({ id, name, args })) }),
  };
}

/** The tools that were planned or called, but for those that a graph has by itself. */
function toolNames(events: readonly AgentEvent[]): string[] {
  const named = events.flatMap((event) => {
    if (event.type === "plan_made") return event.steps.map(({ tool }) => tool);
    return event.type === "tool_finished" ? [event.tool] : [];
  });
  return [...new Set(named)].filter((name) => !builtIn.has(name));
}

/** The calls that ran, with what they gave. One that asks a model, or runs a graph, is replayed by its model. */
function recordedCalls(events: readonly AgentEvent[]): RecordedCall[] {
  return allSpans(spanTree(events)).flatMap(({ start, end, children }) => {
    if (start.type !== "tool_started" || end?.type !== "tool_finished") return [];
    if (end.attempts === 0 || children.length > 0) return [];
    const { content, ok } = end;
    const args = start.content?.args ?? {};
    return [{ tool: start.tool, args, result: insideFence(content?.result ?? "").text, ok }];
  });
}

function literal(value: Json, depth = 0): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`);
}

function unusable({ id }: TracedRun, why: string): PlangraphError {
  return new PlangraphError("invalid_input", `Run ${id} cannot become a test: ${why}.`);
}
