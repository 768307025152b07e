import { readEvidenceLines } from "../../src/prompts/results.js";
import { joinTask } from "../../src/roles/joiner.js";
import { planTask } from "../../src/roles/planner.js";
import { repairerInstructions } from "../../src/roles/repairer.js";
import { replanTask } from "../../src/roles/replanner.js";
import { llmInstructions } from "../../src/roles/solver.js";
import type { ChatRequest, ScriptedReply, ScriptedToolCall } from "../../src/testing/index.js";
import { contentText } from "../support/content-text.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";

/** What every graph is asked. */
export const question = "What do the price of tea and the stock of milk come to?";

/** What a request asks a model for. */
export type MeantKind = "call" | "form" | "plan" | "text";

/** What a request is for: where in a run it stands. */
export type Meant = {
  readonly place: string;
  /** Whether tool calls are asked for, an object, a plan as an object, or words. */
  readonly kind: MeantKind;
  readonly reply: ScriptedReply;
};

/** The plan in tool calls. The stock of milk is a branch of its own until the last step. */
const plan = planText(
  stepOf("price", "tea"),
  stepOf("stock", "milk"),
  { tool: "llm", args: { prompt: "Say it in words: {{E1}}" } },
  stepOf("rate", "{{E1}}"),
  stepOf("total", "{{E3}} at {{E4}}"),
);

/** The same in tasks. */
const tasks = taskPlanText(
  { task: "price of tea" },
  { task: "stock of milk" },
  { task: "rate of tea", after: ["S1"] },
  { task: "total of tea and milk", after: ["S2", "S3"] },
);

/**
 * What a model that does its best means to answer, in every role of every graph. A stubborn one has a step that
 * failed tried another way, whatever came of that before.
 */
export function meantReply(request: ChatRequest, isStubborn = false): Meant {
  const texts = request.messages.map(({ content }) => contentText(content));
  const all = texts.join("\n");
  const known = [...readEvidenceLines(all)].map(([id, value]) => `${id}: ${value}`).join("\n");
  const written = another(all, isStubborn) ?? meantForm(all, known);
  if (written !== undefined) return written;
  if (all.includes("Stop here: ")) return said("closing", `${texts.at(-1)}${resultsOf(request)}`);
  if (all.includes(llmInstructions)) return said("think", `In words: ${texts.at(-1)}`);
  if (all.includes("Answer the question: ")) return said("solve", `In all:\n${known}`);
  return agentTurn(request, /Your task: (\w+) of ([^\n]*)/.exec(all) ?? []);
}

/** The object that a request asks for; `known` are the results that it shows. */
function meantForm(asked: string, known: string): Meant | undefined {
  if (asked.includes(repairerInstructions)) {
    return form("repair", JSON.stringify({ E1: readEvidenceLines(asked).get("E1") ?? "" }));
  }
  const [missing = ""] = /^The plan is not complete.*/m.exec(asked) ?? [];
  if (asked.includes(joinTask)) return form("join", finishWith(`In all:\n${known}\n${missing}`));
  if (asked.includes(replanTask)) return form("replan", respondWith(`In all:\n${known}`));
  if (!asked.includes(planTask(false))) return undefined;
  return form("plan", asked.includes('"final"') ? tasks : plan);
}

/** Another try at what failed, and the plan of one. */
function another(asked: string, isStubborn: boolean): Meant | undefined {
  if (!isStubborn) return undefined;
  const [, id] = /from the id (E\d+) on/.exec(asked) ?? [];
  if (id !== undefined) return form(`plan ${id}`, planText({ ...stepOf("rate", id), id }));
  if (!asked.includes("FAILED. ")) return undefined;
  const failures = asked.split("FAILED. ").length;
  if (asked.includes(joinTask)) return form(`join ${failures}`, replanFor("The rate is missing."));
  const task = { id: `S${failures + 3}`, task: `rate of tea, way ${failures}` };
  return asked.includes(replanTask) ? form(`replan ${failures}`, continueWith(task)) : undefined;
}

/** An agent that has one task of a plan, or the whole question: two calls at once, then one after the other. */
function agentTurn(request: ChatRequest, [, task, of = ""]: readonly string[]): Meant {
  if (task !== undefined) return taskTurn(request, task, of);
  const results = toolResults(request);
  const open = [
    { name: "price", args: { item: "tea" } },
    { name: "stock", args: { item: "milk" } },
  ].filter(({ name }) => isOpen(results.get(name)));
  if (open.length > 0) return called("look", ...open);
  const item = results.get("price") ?? "";
  for (const name of ["rate", "total"]) {
    if ([...results.values()].some((result) => hasFailed(result) && !isOpen(result))) break;
    if (isOpen(results.get(name))) return called(name, { name, args: { item } });
  }
  return said("answer", `In all:\n${resultsOf(request)}`);
}

/** An agent that has one task of a plan. */
function taskTurn(request: ChatRequest, name: string, item: string): Meant {
  const result = toolResults(request).get(name);
  if (isOpen(result)) return called(`call ${name} of ${item}`, { name, args: { item } });
  return said(`report ${name} of ${item}`, hasFailed(result) ? `PLAN CHANGE: ${result}` : result);
}

const called = (place: string, ...toolCalls: readonly ScriptedToolCall[]): Meant => ({
  place,
  kind: "call",
  reply: { toolCalls },
});
const form = (place: string, text: string): Meant => ({
  place,
  kind: place.startsWith("plan") ? "plan" : "form",
  reply: { text },
});
const said = (place: string, text = ""): Meant => ({ place, kind: "text", reply: { text } });

/** Whether a call is still to be made: a model makes one again whose arguments did not fit. */
function isOpen(result: string | undefined): boolean {
  return result === undefined || result.startsWith("Error (invalid_arguments)");
}

function hasFailed(result = ""): boolean {
  return result.startsWith("Error");
}

/** The last result of each tool in a conversation. */
function toolResults({ messages }: ChatRequest): Map<string, string> {
  const names = new Map(
    messages
      .flatMap(({ tool_calls: calls }) => calls ?? [])
      .map((call) => [call.id, call.function.name]),
  );
  const results = messages.filter(({ role }) => role === "tool");
  return new Map(
    results.map(({ tool_call_id: id = "", content }) => [
      names.get(id) ?? "",
      contentText(content),
    ]),
  );
}

function resultsOf(request: ChatRequest): string {
  return [...toolResults(request).values()].join("\n");
}
