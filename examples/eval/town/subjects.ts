// What is evaluated: the graphs that answer questions with tools, each with the tools of the town.
// Run them: npm run plangraph -- eval examples/eval/town/cases.jsonl --subjects examples/eval/town/subjects.ts
import {
  clockFrom,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Models,
} from "plangraph";
import type { Subject } from "plangraph/evaluation";

import { tools } from "./tools.js";

/** Enough for the longest question several times over, on a slow machine, too. */
const limits = { modelCalls: 40, toolCalls: 60, seconds: 1800 };

/** One day for all runs: prompts have the date, and another date gives other plans. */
const clock = clockFrom(new Date("2026-11-24T09:00:00Z"));

/** What all graphs have. */
export const shared = { tools, limits, clock, timeZone: "UTC" };

/** The subjects, with the models of each; without, those of the environment. */
export function townSubjects(
  modelsFor: (plans: "calls" | "tasks") => Models | undefined = () => undefined,
  townTools: typeof tools = tools,
): Subject[] {
  const optionsFor = (plans: "calls" | "tasks") => {
    const models = modelsFor(plans);
    return { ...shared, ...(models && { models }), tools: townTools };
  };
  const [calls, tasks] = [optionsFor("calls"), optionsFor("tasks")];
  // The facts of the town come from its tools alone.
  const acting = { ...calls, callFirst: true };
  return [
    { name: "react", graph: () => createReactGraph(acting) },
    { name: "rewoo", graph: () => createRewooGraph(calls) },
    { name: "llm-compiler", graph: () => createLlmCompilerGraph(calls) },
    { name: "plan-execute", graph: () => createPlanExecuteGraph({ ...tasks, callFirst: true }) },
    {
      name: "router",
      graph: () => {
        const { tools: _tools, ...routing } = calls;
        return createRouterGraph({
          ...routing,
          routes: {
            single: {
              description: "Questions that one look-up answers.",
              graph: createReactGraph(acting),
            },
            several: {
              description: "Questions that need several facts, a calculation or a comparison.",
              graph: createRewooGraph(calls),
            },
          },
        });
      },
    },
  ];
}

export const subjects = townSubjects();

export { scorers } from "./scorers.js";
