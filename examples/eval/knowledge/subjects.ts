// What is evaluated: three graphs that ask the same base of documents. The base is built anew, by words alone.
// Run them: npx plangraph eval examples/eval/knowledge/cases.jsonl --subjects examples/eval/knowledge/subjects.ts
import {
  clockFrom,
  createAssistantGraph,
  createReactGraph,
  createRewooGraph,
  type Models,
} from "plangraph";
import type { Subject } from "plangraph/evaluation";
import { createSearchKnowledgeTool, openKnowledge } from "plangraph/knowledge";

const systemPrompt = `You answer from the knowledge base alone: search it for each question.
Where it does not say what is asked, say that you do not know it, and give no other figure in its place: not that of
another year, place or product, and none that you know yourself.`;

// One day for all runs: prompts have the date, and another date gives other plans.
const clock = clockFrom(new Date("2026-11-24T09:00:00Z"));

const base = await openKnowledge();
const { problems } = await base.ingest(["examples/eval/knowledge/documents"]);
if (problems.length > 0) throw new Error(JSON.stringify(problems));

/** The subjects, with these models; without, those of the environment. */
export function ofKnowledge(models?: Models): Subject[] {
  const own = { ...(models && { models }), clock, timeZone: "UTC" };
  const knowledge = createSearchKnowledgeTool(base);
  const searching = { ...own, systemPrompt, tools: [knowledge] };
  return [
    { name: "assistant", graph: createAssistantGraph({ ...own, knowledge }) },
    { name: "react", graph: createReactGraph(searching) },
    { name: "rewoo", graph: createRewooGraph(searching) },
  ];
}

export const subjects = ofKnowledge();

export { scorers } from "./scorers.js";
