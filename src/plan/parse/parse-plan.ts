import { canonicalStep, continueIds, type ReadPlan, type Step } from "../step.js";
import { createDraft, type PlanDraft, type ReadPlanOptions, unreadOf } from "./plan-draft.js";
import { readPlanText } from "./plan-text.js";
import { readNumberedTasks } from "./task-list.js";
import { appendText } from "./text-source.js";

/**
 * Reads a plan that a model wrote: the JSON form, ReWOO text, LLMCompiler text or a numbered list. Never throws, never
 * judges, and drops nothing: text outside the steps is in `unread`. `isCut` says that the text ended at a limit, so
 * that its last part may be incomplete.
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
    // It is circular or too deep, so no model wrote it.
    return "";
  }
}

type PlanReader = {
  /** Reads the next part of the text and returns the newly complete steps, each once, in order. */
  readonly push: (chunk: string) => readonly Step[];
  /** Ends the text and returns the whole plan. `isCut`: the text ended at a limit, not where the model ended it. */
  readonly end: (isCut?: boolean) => ReadPlan;
};

/**
 * A reader for a streamed plan, with the same steps as `parsePlan` for any chunks. A step is returned when later text
 * can no longer change it; numbered lists, and JSON without closing brackets, only at the end.
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

/** A plan that is still written while its first steps run. */
export type GrowingPlan = {
  /** Starts a new text: running steps stay, whatever it contains. */
  readonly restart: () => void;
  /** The plan from a text's steps: the running ones and the added ones, with their own ids. */
  readonly with: (steps: readonly Step[]) => Step[];
  /** Records that a step of the plan runs. */
  readonly begin: (step: Step) => void;
  /** The steps that run, in the order of their start. */
  readonly begun: readonly Step[];
};

/** A plan to be written. `used` are ids of earlier plans; unchanged repetitions of `done` steps do not run again. */
export function createGrowingPlan(used: readonly string[], done: readonly Step[]): GrowingPlan {
  const begun: Step[] = [];
  /** How many steps ran before this text began: only they are not part of it. */
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
      // The final text may differ from the streamed one: all running steps stay.
      return begun.every(holds) ? plan : joined(steps, begun.length);
    },
    begin: (step) => {
      begun.push(step);
    },
    begun,
  };
}
