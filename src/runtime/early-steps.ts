import type { ReplyListener } from "../models/model-request.js";
import { createPlanReader, type GrowingPlan } from "../plan/parse/parse-plan.js";
import { dependenciesOf, type Step, type ToolStep } from "../plan/step.js";
import type { PlanReading } from "../roles/plan-reading.js";
import { keepsOrder } from "../tools/call-order.js";
import type { Toolbox } from "../tools/toolbox.js";

/** The steps of a plan that start while it is still written. */
export type EarlySteps = {
  /** To be told of the planner's replies. */
  readonly listener: ReplyListener;
  /** Waits until all that was heard has been looked at. */
  readonly settled: () => Promise<void>;
  /** Whether the last reply ended before its end. */
  readonly isCut: () => boolean;
};

/** What is read of one reply. */
type Reply = {
  readonly reader: ReturnType<typeof createPlanReader>;
  readonly steps: Step[];
};

/** What early steps are chosen by. */
export type EarlyOptions = {
  readonly reading: PlanReading;
  readonly plan: GrowingPlan;
  /** Ids of earlier plans: their steps have run. */
  readonly used: readonly string[];
  /** Whether a step may start for a plan that is never finished, behind these. */
  readonly mayStart: (step: ToolStep, before: readonly Step[]) => boolean;
};

/**
 * Hands a step to `start` as soon as its text is complete, if it is valid by itself and all that it refers to
 * runs already. What comes in between is looked at in order.
 */
export function earlySteps(
  { reading, plan, used, mayStart }: EarlyOptions,
  start: (step: ToolStep) => void,
): EarlySteps {
  const begun = new Set(used);
  const take = async ({ steps }: Reply, step: Step): Promise<void> => {
    const known = plan.with(steps);
    steps.push(step);
    const next = plan.with(steps)[known.length];
    if (next?.kind !== "tool" || !mayStart(next, known)) return;
    if (known.length >= (reading.planSteps ?? Infinity)) return;
    if (!dependenciesOf(next).every((id) => begun.has(id))) return;
    const before = [...used, ...known.map(({ id }) => id)];
    const issues = await reading.issuesOf({ steps: [next], unread: [] }, before);
    if (issues.length > 0) return;
    begun.add(next.id);
    plan.begin(next);
    start(next);
  };
  let reply: Reply = openReply(reading);
  let isOpen = false;
  let looking = Promise.resolve();
  return {
    listener: {
      begin: () => {
        isOpen = true;
        const opened = openReply(reading);
        reply = opened;
        looking = looking.then(() => plan.restart());
      },
      hear: (piece) => {
        const current = reply;
        for (const step of current.reader.push(piece)) {
          looking = looking.then(() => take(current, step));
        }
      },
      end: () => {
        isOpen = false;
      },
    },
    settled: () => looking,
    isCut: () => isOpen,
  };
}

function openReply({ options }: PlanReading): Reply {
  return { reader: createPlanReader(options), steps: [] };
}

/** Whether a step only reads, and nothing stands before it that may change what it reads: run once too often it does no harm. */
export function startsEarly(toolbox: Toolbox): EarlyOptions["mayStart"] {
  const isOrdered = (step: Step) => step.kind === "tool" && keepsOrder(toolbox, step.tool);
  return (step, before) => {
    const { effect, needsApproval = false } = toolbox.get(step.tool)?.policy ?? {};
    return effect === "read" && needsApproval === false && !before.some(isOrdered);
  };
}
