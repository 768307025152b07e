import { defined, type Json, type JsonObject } from "../../json/json.js";
import type { StepCondition } from "../../plan/step.js";
import type { Repeat, WorkflowStep } from "../../plan/workflow/steps.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { type StepForm, stepKinds, type WorkflowForm } from "./form.js";
import { objectSchema } from "./types.js";

/** What a step does: its kind, the tool that does it, and the tool's arguments. */
export type StepCall = {
  readonly kind: (typeof stepKinds)[number];
  readonly tool: string;
  readonly args: JsonObject;
};

const askTool = "ask_user";
const searchTool = "search_knowledge";

/** How each kind of step is called, by the value of its field. */
const calls: {
  readonly [Kind in StepCall["kind"]]: (value: string, step: StepForm) => Omit<StepCall, "kind">;
} = {
  tool: (tool, { args = {} }) => ({ tool, args }),
  service: (tool, { args = {} }) => ({ tool, args }),
  workflow: (tool, { args = {} }) => ({ tool, args }),
  agent: (tool, { question = "" }) => ({ tool, args: { question } }),
  prompt: (prompt, { returns }) => ({
    tool: llmToolName,
    args: { prompt, ...(returns === undefined ? {} : { returns: objectSchema(returns) }) },
  }),
  retrieve: (query) => ({ tool: searchTool, args: { query } }),
  person: (question) => ({ tool: askTool, args: { question } }),
};

/** The call of a step; undefined for a step of no kind. Of several kinds the first counts. */
export function callOfForm(step: StepForm): StepCall | undefined {
  const kind = stepKinds.find((each) => step[each] !== undefined);
  const value = kind === undefined ? undefined : step[kind];
  return kind === undefined || value === undefined
    ? undefined
    : { kind, ...calls[kind](value, step) };
}

/** The steps of a workflow as calls with rules. */
export function stepsOf({ steps }: Pick<WorkflowForm, "steps">): WorkflowStep[] {
  return Object.entries(steps).flatMap(([id, step]) => {
    const call = callOfForm(step);
    return call === undefined ? [] : [stepOf(id, step, call)];
  });
}

function stepOf(id: string, step: StepForm, { tool, args }: StepCall): WorkflowStep {
  const { note, after, when, otherwise, fallback, each, repeat } = step;
  return {
    kind: "tool",
    id,
    tool,
    args,
    ...defined({
      thought: note,
      after: after === undefined ? undefined : [after].flat(),
      when: conditionsOf(when),
      otherwise,
      fallback,
      each,
    }),
    ...(repeat === undefined ? {} : { repeat: repetition(repeat) }),
  };
}

function repetition({ until, max, ...others }: NonNullable<StepForm["repeat"]>): Repeat {
  return { until: conditionsOf(until) ?? [], max, ...defined(others) };
}

function conditionsOf(given: StepForm["when"] | undefined): readonly StepCondition[] | undefined {
  if (given === undefined) return undefined;
  return [given].flat().map(({ value, operator, target }) => ({
    value,
    operator,
    ...(target === undefined ? {} : { target }),
  }));
}

/** The output of a workflow: what it says, or the result of its last step. */
export function outputOf({ output, steps }: Pick<WorkflowForm, "output" | "steps">): Json {
  if (output !== undefined) return output;
  const last = Object.keys(steps).at(-1);
  return last === undefined ? "" : `{{${last}}}`;
}
