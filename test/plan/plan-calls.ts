import { parsePlan } from "../../src/plan/parse/parse-plan.js";

/** The parameters of the tools in plans of tests. */
export const parameters = {
  search: ["query"],
  calculator: ["expression"],
  "web-search": ["query"],
  "math.add": ["left", "right"],
  book: ["room", "start", "minutes"],
  today: [],
};

/** The calls of a plan as `id tool {args}`, and what is unread. */
export function calls(text: string, isCut = false) {
  const { steps, unread } = parsePlan(text, { parameters, isCut });
  const lines = steps.map((step) =>
    step.kind === "tool"
      ? `${step.id} ${step.tool} ${JSON.stringify(step.args)}`
      : `${step.id} ${step.task}`,
  );
  return { lines, unread };
}
