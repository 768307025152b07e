// What is evaluated: the graphs that ask the same base of documents. The base is built anew, by words alone.
// Run them: npx plangraph eval examples/eval/knowledge/cases.jsonl --subjects examples/eval/knowledge/subjects.ts
import {
  clockFrom,
  createAssistantGraph,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
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

/** The subjects, with the models of each; without, those of the environment. */
export function ofKnowledge(
  modelsFor: (plans: "calls" | "tasks") => Models | undefined = () => undefined,
): Subject[] {
  const ownFor = (plans: "calls" | "tasks") => {
    const models = modelsFor(plans);
    return { ...(models && { models }), clock, timeZone: "UTC" };
  };
  const own = ownFor("calls");
  const knowledge = createSearchKnowledgeTool(base);
  const searching = { ...own, systemPrompt, tools: [knowledge] };
  // What is answered comes from the base alone.
  const acting = { ...searching, callFirst: true };
  return [
    { name: "assistant", graph: createAssistantGraph({ ...own, knowledge }) },
    { name: "react", graph: createReactGraph(acting) },
    { name: "rewoo", graph: createRewooGraph(searching) },
    { name: "llm-compiler", graph: createLlmCompilerGraph(searching) },
    {
      name: "plan-execute",
      graph: createPlanExecuteGraph({ ...acting, ...ownFor("tasks") }),
    },
  ];
}

export const subjects = ofKnowledge();

export { scorers } from "./scorers.js";
