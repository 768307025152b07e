import { readNumberedTasks } from "./numbered-tasks.js";
import { createDraft, type PlanDraft, type ReadPlanOptions, unreadOf } from "./plan-draft.js";
import { readPlanText } from "./plan-text.js";
import type { ReadPlan, Step } from "./step.js";
import { appendText } from "./text-source.js";

/** Reads a plan while it is being written. */
export type PlanReader = {
  /** Takes the next piece of the text and gives the steps that are complete now, each once, in order. */
  readonly push: (chunk: string) => readonly Step[];
  /** Ends the text and gives the whole plan. `isCut`: it ended at a limit, not where the model ended it. */
  readonly end: (isCut?: boolean) => ReadPlan;
};

/**
 * A reader of a plan that streams in: the steps are those of `parsePlan`, in any pieces. Steps in JSON,
 * ReWOO and LLMCompiler text come as soon as nothing that may follow can change them; a numbered list of
 * tasks, and what lacks its closing brackets, comes at the end.
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
