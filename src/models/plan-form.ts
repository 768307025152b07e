import { findJson } from "../guards/find-json.js";
import { isRecord } from "../plan/json.js";
import { parsePlan } from "../plan/parse-plan.js";
import type { ReadPlan, ToolStep } from "../plan/step.js";
import { type PlanRules, type PlanTool, validatePlan } from "../plan/validate-plan.js";
import type { ToolForm } from "../prompts/argument-form.js";
import type { StructuredForm } from "./fitting-value.js";

/** What a planner's reply holds: steps that can run, or an answer instead of a plan. */
export type Planned =
  | { readonly kind: "steps"; readonly steps: readonly ToolStep[] }
  | { readonly kind: "answer"; readonly text: string };

/** The tools of a plan: how they are told, and how their arguments are checked. */
export type PlanTools = {
  readonly forms: readonly ToolForm[];
  readonly check: (tool: string, args: PlanArgs) => Promise<readonly string[]>;
};

type PlanArgs = ToolStep["args"];

/** Long thoughts and endless plans are how small models run away. */
const maxThoughtChars = 200;
const maxSteps = 50;

/**
 * The form of a plan of tool calls: one branch a tool, with its own arguments, any of which may be a
 * reference instead, so that constrained decoding can write nothing but steps that run.
 */
export function planForm(tools: PlanTools, rules: PlanRules): StructuredForm<Planned> {
  const size = Math.min(rules.planSteps ?? maxSteps, maxSteps);
  return {
    name: "plan",
    schema: {
      type: "object",
      properties: {
        steps: {
          type: "array",
          minItems: 1,
          maxItems: size,
          items: { anyOf: tools.forms.map((form) => stepSchema(form)) },
        },
      },
      required: ["steps"],
      additionalProperties: false,
    },
    read: (value) => readPlan(JSON.stringify(value), tools, rules),
    readText: async (text) => {
      const answer = answerIn(text, tools);
      return answer === undefined ? readPlan(text, tools, rules) : { ok: true, value: answer };
    },
  };
}

function stepSchema({ name, parameters }: ToolForm) {
  return {
    type: "object",
    properties: {
      id: { type: "string", pattern: "^E[1-9][0-9]?$" },
      thought: { type: "string", maxLength: maxThoughtChars },
      tool: { const: name },
      args: withReferences(parameters),
    },
    required: ["id", "thought", "tool", "args"],
    additionalProperties: false,
  };
}

/** The tool's arguments, each of which may be a reference to an earlier result. */
function withReferences(parameters: unknown): object {
  const refers = JSON.stringify(parameters ?? {}).includes('"$ref"');
  if (!isRecord(parameters) || refers) return { type: "object" };
  const { $schema: _dialect, properties, ...schema } = parameters;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  const relaxed = fields.map(([name, field]) => {
    const isText = isRecord(field) && field["type"] === "string" && field["enum"] === undefined;
    return [name, isText ? field : { anyOf: [field, { type: "string" }] }];
  });
  return { type: "object", ...schema, properties: Object.fromEntries(relaxed) };
}

/** What a planner says that answers instead of planning: prose without a trace of a plan. */
function answerIn(text: string, tools: PlanTools): Planned | undefined {
  const { steps } = parsePlan(text, { findJson, parameters: parametersOf(tools) });
  const isPlan = steps.length > 0 || /[{[]|#E\d|^\s*\d+\./m.test(text);
  return isPlan || text.trim() === "" ? undefined : { kind: "answer", text: text.trim() };
}

async function readPlan(text: string, tools: PlanTools, rules: PlanRules) {
  const read = parsePlan(text, { findJson, parameters: parametersOf(tools) });
  const issues = validatePlan(read, await planTools(read, tools), { ...rules, kind: "tool" });
  if (issues.length > 0) {
    return { ok: false, problem: issues.map(({ message }) => message).join("\n") } as const;
  }
  const steps = read.steps.flatMap((step) => (step.kind === "tool" ? [step] : []));
  return { ok: true, value: { kind: "steps", steps } } as const;
}

function parametersOf({ forms }: PlanTools): { readonly [tool: string]: readonly string[] } {
  return Object.fromEntries(
    forms.map(({ name, parameters }) => {
      const properties = isRecord(parameters) ? parameters["properties"] : undefined;
      return [name, isRecord(properties) ? Object.keys(properties) : []];
    }),
  );
}

/** The tools as the plan's rules know them: the arguments of its steps are checked beforehand. */
async function planTools({ steps }: ReadPlan, tools: PlanTools): Promise<PlanTool[]> {
  const problems = new Map<PlanArgs, readonly string[]>();
  for (const step of steps) {
    if (step.kind === "tool") problems.set(step.args, await tools.check(step.tool, step.args));
  }
  return tools.forms.map(({ name }) => ({ name, check: (args) => problems.get(args) ?? [] }));
}
