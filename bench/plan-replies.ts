import { type ChatRequest, fault, type ServerAnswer } from "../src/testing/index.js";
import { type LayeredStep, layeredPlan, resolvedItem } from "./layered-plan.js";
import { pieces } from "./pieces.js";

/** How long every model takes to answer, in milliseconds. */
export const modelMs = 50;

/** What a benchmark asks for: the plan, and over how many milliseconds its text is to be written. */
export type Asked = { readonly steps: number; readonly width: number; readonly writtenMs: number };

/** Puts what is asked for into words that `replyTo` understands. */
export function questionFor({ steps, width, writtenMs }: Asked): string {
  return `Look up ${steps} items, ${width} at a time; the plan is written within ${writtenMs} ms.`;
}

/** Answers every role of every graph: planner, solver, joiner, and an agent that makes one call a turn. */
export function replyTo({ messages, tools, response_format: format }: ChatRequest): ServerAnswer {
  const wanted = JSON.stringify(format ?? "");
  const asked = readQuestion(JSON.stringify(messages));
  const plan = layeredPlan(asked.steps, asked.width);
  if (wanted.includes('"name":"plan"')) return planned(plan, asked.writtenMs);
  if (wanted.includes('"name":"join"')) return answer(JSON.stringify(joined));
  const done = messages.filter(({ role }) => role === "tool").length;
  const next = tools === undefined ? undefined : plan[done];
  if (next === undefined) return answer("All items were found.");
  const call = { name: "look_up", args: { item: resolvedItem(next) }, id: next.id };
  return { text: thought, toolCalls: [call], delayMs: modelMs };
}

const thought = "The next item is to be looked up.";
const joined = { thought: "All is there.", action: "finish", answer: "All items were found." };

function answer(text: string): ServerAnswer {
  return { text, delayMs: modelMs };
}

/** A plan that comes at once comes in a piece a step: how fast a burst of tokens is read is not the question. */
function planned(plan: readonly LayeredStep[], writtenMs: number): ServerAnswer {
  const steps = plan.map(({ id, item }) => ({ id, thought, tool: "look_up", args: { item } }));
  const text = JSON.stringify({ steps });
  if (writtenMs === 0) return { text: pieces(text, plan.length), delayMs: modelMs };
  return fault.slow({ text: pieces(text, writtenPieces) }, writtenMs / writtenPieces);
}

const writtenPieces = 50;

function readQuestion(text: string): Asked {
  const [, steps, width, writtenMs] =
    /Look up (\d+) items, (\d+) at a time; the plan is written within (\d+) ms/.exec(text) ?? [];
  return { steps: Number(steps), width: Number(width), writtenMs: Number(writtenMs) };
}
