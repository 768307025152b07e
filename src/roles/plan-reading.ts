import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { parameterNames } from "../models/protocol/json-calls.js";
import { fenceStart, hasComment } from "../models/protocol/text.js";
import { meanInBrackets } from "../plan/bare-mean.js";
import { followRepeats } from "../plan/follow-repeats.js";
import type { ReadPlanOptions } from "../plan/parse/plan-draft.js";
import { planDoubt } from "../plan/plan-doubt.js";
import type { PlanIssue } from "../plan/plan-issue.js";
import type { ReadPlan, ToolStep } from "../plan/step.js";
import { type PlanRules, validatePlan } from "../plan/validate-plan.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { toolsByWork } from "./tools-by-work.js";

/** The tools of a plan: their forms for prompts, and the check of their arguments. */
export type PlanTools = {
  readonly forms: readonly ToolForm[];
  readonly check: (tool: string, args: PlanArgs) => Promise<readonly string[]>;
  /** Whether a call of the tool may change anything outside. */
  readonly acts: (tool: string) => boolean;
};

type PlanArgs = ToolStep["args"];

/** How plans of tool calls are read and checked. */
export type PlanReading = {
  readonly forms: readonly ToolForm[];
  /** The largest number of steps; `null` for no limit. */
  readonly planSteps: number | null;
  readonly options: ReadPlanOptions;
  /** Whether the request offers an answer in place of a plan. */
  readonly mayAnswer: boolean;
  readonly acts: PlanTools["acts"];
  /** `earlier`: ids outside the plan that it may refer to; default: those of earlier plans. */
  readonly issuesOf: (plan: ReadPlan, earlier?: readonly string[]) => Promise<PlanIssue[]>;
  /** What a plan without issues may have forgotten, in words for the model. It goes back with it once, and stands otherwise. */
  readonly doubtOf?: (steps: readonly ToolStep[]) => string | undefined;
  /** What the steps of a plan without issues mean; default: what they say. */
  readonly meantBy?: (steps: readonly ToolStep[]) => readonly ToolStep[];
};

/** The doubts about plans that answer a question: about figures, where a tool calculates. */
export function figureDoubt(
  question: string,
  forms: readonly ToolForm[],
): NonNullable<PlanReading["doubtOf"]> {
  const tools = toolsByWork(forms);
  const [calculator] = tools.calculators;
  if (calculator === undefined) return () => undefined;
  return (steps) => planDoubt(question, steps, { calculator, all: tools.calculating });
}

/** What plans mean that make one call several times, or calculate a mean without its brackets. */
export function planMeaning(
  question: string,
  { forms, acts }: Pick<PlanTools, "forms" | "acts">,
): NonNullable<PlanReading["meantBy"]> {
  const { calculating } = toolsByWork(forms);
  const inBrackets = meansInBrackets(question, forms);
  return (steps) =>
    inBrackets(followRepeats(steps, { acts, calculates: (tool) => calculating.has(tool) }));
}

/** What steps mean that calculate a mean without its brackets. */
export function meansInBrackets(
  question: string,
  forms: readonly ToolForm[],
): NonNullable<PlanReading["meantBy"]> {
  const { calculators } = toolsByWork(forms);
  return (steps) =>
    steps.map((step) => {
      const { tool, args } = step;
      const expression = meanInBrackets(question, args["expression"]);
      const isMeant = expression !== undefined && calculators.includes(tool);
      return isMeant ? { ...step, args: { ...args, expression } } : step;
    });
}

type Reading = Omit<PlanRules, "kind"> & Partial<Pick<PlanReading, "mayAnswer">>;

/** Reads and checks plans for these tools. */
export function planReading(
  { forms, check, acts }: PlanTools,
  { planSteps, earlier: ofPlans = [], mayAnswer = true }: Reading,
): PlanReading {
  const parameters = Object.fromEntries(
    forms.map((form) => [form.name, parameterNames(form.parameters)]),
  );
  return {
    forms,
    planSteps,
    mayAnswer,
    acts,
    options: { parameters, earlier: ofPlans },
    issuesOf: async (plan, earlier = ofPlans) => {
      // The check of a plan's rules is synchronous, so arguments are checked before it.
      const problems = new Map<PlanArgs, readonly string[]>();
      for (const step of plan.steps) {
        if (step.kind === "tool") problems.set(step.args, await check(step.tool, step.args));
      }
      const tools = forms.map(({ name }) => ({
        name,
        check: (args: PlanArgs) => problems.get(args) ?? [],
      }));
      return validatePlan(plan, tools, { planSteps, earlier, kind: "tool" });
    },
  };
}

const fence = new RegExp(String.raw`^(?:${fenceStart}|\u0060{3}(?:plan|rewoo)(?![\w-]))\s*`, "i");
const fenceEnd = /\n?```$/;
const endOfPlan = /<\/?END_OF_PLAN>$/i;

/** How a plan begins: JSON, words, a step's id or number, a heading, bold text or an item that is not just a call. */
const beginning =
  /^(?:[\p{L}\p{N}_{[｛［【]|[(（]\p{N}|[#＃]\s?E\d|\$\{?\d|\*\*[\p{L}\p{N}#$]|#{1,6} [^\n([{]*\n|[-*•] +(?![\w.-]+[([])[\p{L}\p{N}#*$])/u;

/** How a plan does not end: with the end of inline code, of a table's line, of a comment or a quotation, or in doubt. */
const ending = /(?:[`|~>]|\*\/|\.\.|…|[)\]}｝］】]\s*[?？*”"'」』》]+)$/u;

/**
 * Whether the plan is no quotation, by the signs at its edges and the comments in its JSON; words around it are checked
 * elsewhere.
 */
export function isUnquoted(reply: string): boolean {
  const text = reply
    .trim()
    .replace(fence, "")
    .replace(fenceEnd, "")
    .trim()
    .replace(endOfPlan, "")
    .trim();
  // A list of texts is the input of a call: what looks like a comment in it may be an address.
  const json = findJson(reply)
    .found.filter(({ value }) => (Array.isArray(value) ? value.some(isRecord) : true))
    .map(({ start, end }) => reply.slice(start, end));
  return beginning.test(text) && !ending.test(text) && !json.some((each) => hasComment(each));
}
