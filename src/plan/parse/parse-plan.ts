import { canonicalStep, continueIds, type ReadPlan, type Step } from "../step.js";
import { createDraft, type PlanDraft, type ReadPlanOptions, unreadOf } from "./plan-draft.js";
import { readPlanText } from "./plan-text.js";
import { readNumberedTasks } from "./task-list.js";
import { appendText } from "./text-source.js";

/**
 * Reads a plan that a model wrote: the JSON form, ReWOO text, LLMCompiler text or a numbered list. Never
 * throws, never judges, and drops nothing: what belongs to no step is in `unread`. `isCut` says that the
 * text ended at a limit, so that what reaches its end is not whole.
 */
export function parsePlan(
  input: string | object,
  { isCut = false, ...options }: ReadPlanOptions & { readonly isCut?: boolean } = {},
): ReadPlan {
  const reader = createPlanReader(options);
  const text = typeof input === "string" ? input : asText(input);
  reader.push(text);
  return reader.end(isCut);
}

function asText(value: object): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // It refers to itself or is too deep: nothing that a model wrote.
    return "";
  }
}

type PlanReader = {
  /** Takes the next piece of the text and gives the steps that are complete now, each once, in order. */
  readonly push: (chunk: string) => readonly Step[];
  /** Ends the text and gives the whole plan. `isCut`: it ended at a limit, not where the model ended it. */
  readonly end: (isCut?: boolean) => ReadPlan;
};

/**
 * A reader of a plan that streams in; the steps are those of `parsePlan`, whatever the pieces. A step comes once nothing
 * that follows can change it; numbered lists, and JSON without its closing brackets, come at the end.
 */
export function createPlanReader(options: ReadPlanOptions = {}): PlanReader {
  const draft = createDraft(options);
  const reading = readPlanText(draft);
  let given = 0;
  return {
    push: (chunk) => {
      appendText(draft.source, chunk);
      reading.next();
      const steps = draft.steps.slice(given);
      given = draft.steps.length;
      return steps;
    },
    end: (isCut = false) => {
      draft.source.isEnded = true;
      draft.isCut = isCut;
      reading.next();
      if (draft.steps.length === 0 && !draft.hasPlan) readNumberedTasks(draft, endOfPlan(draft));
      return whole(draft);
    },
  };
}

function whole(draft: PlanDraft): ReadPlan {
  const { steps, plans, asides } = draft;
  return {
    steps: [...steps],
    unread: unreadOf(draft),
    ...(plans > 1 ? { plans } : {}),
    ...(asides.length > 0 ? { asides: [...asides] } : {}),
  };
}

/** A list of tasks ends where the plan does. */
function endOfPlan({ source, isOver }: PlanDraft): number {
  return isOver ? source.at : source.chars.length;
}

/** A plan that is being written while its first steps run. */
export type GrowingPlan = {
  /** The text begins anew: what runs already stays, whatever is written now. */
  readonly restart: () => void;
  /** The plan as a text's steps make it: those that run already, and what they add, with ids of their own. */
  readonly with: (steps: readonly Step[]) => Step[];
  /** Notes that a step of the plan runs. */
  readonly begin: (step: Step) => void;
  /** The steps that run, in the order in which they began. */
  readonly begun: readonly Step[];
};

/** A plan to be written. `used` are ids of earlier plans; `done` are their steps with results, not run again if repeated unchanged. */
export function createGrowingPlan(used: readonly string[], done: readonly Step[]): GrowingPlan {
  const begun: Step[] = [];
  /** How many steps ran before this text began: only they are not of it. */
  let before = 0;
  const joined = (steps: readonly Step[], count: number) => {
    const standing = begun.slice(0, count);
    const taken = [...used, ...standing.map(({ id }) => id)];
    return [...standing, ...continueIds(steps, taken, done, standing)];
  };
  return {
    restart: () => {
      before = begun.length;
    },
    with: (steps) => {
      const plan = joined(steps, before);
      const known = new Set(plan.map((step) => `${step.id} ${canonicalStep(step)}`));
      const holds = (step: Step) => known.has(`${step.id} ${canonicalStep(step)}`);
      // What was read at the end may not be what was heard: all that runs stays.
      return begun.every(holds) ? plan : joined(steps, begun.length);
    },
    begin: (step) => {
      begun.push(step);
    },
    begun,
  };
}
