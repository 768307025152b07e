import type { ModelRequest, ReplyListener } from "../../models/model-request.js";
import { structuredReply, type StructuredReply } from "../../models/structured-output.js";
import {
  createGrowingPlan,
  createPlanReader,
  type GrowingPlan,
} from "../../plan/parse/parse-plan.js";
import {
  callKey,
  callOfStep,
  dependenciesOf,
  type Step,
  type ToolStep,
  toolStepsOf,
} from "../../plan/step.js";
import type { PlanReading } from "../../roles/plan-reading.js";
import { planOutput, type Planned, planTask } from "../../roles/planner.js";
import { isDeclined } from "../../state/outcome.js";
import { addUsage, noUsage, type Usage } from "../../state/usage.js";
import { keepsOrder } from "../../tools/call-order.js";
import type { Toolbox } from "../../tools/toolbox.js";
import type { Run } from "../enter-run.js";
import { inTask } from "../in-task.js";
import { emitPlan } from "./plan-events.js";

/** A request for a plan, and the plan it continues. */
export type PlanStream = {
  readonly request: Omit<ModelRequest, "trailingMessages" | "listener">;
  readonly reading: PlanReading;
  /** Ids of earlier plans. */
  readonly used: readonly string[];
  /** Their steps with valid results. */
  readonly done: readonly ToolStep[];
  /** The steps of a plan that the run will run. */
  readonly toRun: (plan: StreamedPlan) => readonly ToolStep[];
} & Pick<EarlyOptions, "mayStart">;

/** The result of planning. */
export type StreamedPlan = {
  readonly reply: StructuredReply<Planned>;
  /** The started steps, in order. */
  readonly begun: readonly ToolStep[];
  /** The usage of all requests. */
  readonly usage: Usage;
};

/** How many requests a plan may take when replies are cut off, the model's own attempts included. */
const maxRequests = 3;

/**
 * Requests a plan and passes its first steps to `start` while it is written. Planning is a LangGraph task: a resumed
 * run takes the recorded plan and starts the same steps in the same order. Steps are emitted as they are planned, but
 * not when the plan is replayed.
 */
export async function streamPlan(
  stream: PlanStream,
  run: Run,
  start: (step: ToolStep) => void,
): Promise<StreamedPlan> {
  const key = `plan:${stream.used.length}`;
  const handed = new TransformStream<ToolStep, ToolStep>();
  const writer = handed.writable.getWriter();
  const planning = inTask(
    () => key,
    stream.request.config,
    async () => {
      const made = await planned(stream, (step) => {
        emitPlan([step], run);
        void writer.write(step);
      });
      emitRest(made, stream, run);
      return made;
    },
    ({ usage }) => run.budget.replay(usage),
  );
  const close = () => writer.close();
  planning.then(close, close);
  // Tasks belong to the node, not to the planning task, which only passes steps on.
  for await (const step of handed.readable) start(step);
  const made = await planning;
  for (const step of made.begun) start(step);
  return made;
}

/** Emits the steps that have not started yet, or that there is no plan. */
function emitRest(made: StreamedPlan, { used, toRun }: PlanStream, run: Run): void {
  const { reply, begun } = made;
  const told = new Set(begun.map(({ id }) => id));
  const rest = toRun(made).filter(({ id }) => !told.has(id));
  if (rest.length > 0) emitPlan(rest, run);
  const isFirst = used.length === 0 && begun.length === 0;
  if (isFirst && !reply.ok && reply.limit === undefined && !isDeclined(reply.cause)) {
    run.emit({ type: "degraded", to: "react", reason: reply.problem });
  }
}

async function planned(
  { request, reading, used, done, mayStart }: PlanStream,
  start: (step: ToolStep) => void,
): Promise<StreamedPlan> {
  const plan = createGrowingPlan(used, done);
  const early = earlySteps({ reading, plan, used, mayStart }, start);
  const output = planOutput(reading, async (steps) => {
    await early.settled();
    return plan.with(steps);
  });
  const task = planTask(reading.mayAnswer);
  let usage = noUsage;
  for (;;) {
    const reply = await structuredReply({ ...request, listener: early.listener }, output, task);
    await early.settled();
    usage = addUsage(usage, reply.usage);
    const mayAsk = !reply.ok && reply.limit === undefined && !isDeclined(reply.cause);
    const isCut = mayAsk && early.isCut();
    if (!isCut || plan.begun.length === 0 || usage.modelCalls >= maxRequests) {
      return { reply, begun: toolStepsOf(plan.begun), usage };
    }
  }
}

/** The steps of a plan that start while it is written. */
type EarlySteps = {
  /** Listens to the planner's replies. */
  readonly listener: ReplyListener;
  /** Waits until everything heard has been processed. */
  readonly settled: () => Promise<void>;
  /** Whether the last reply was cut off. */
  readonly isCut: () => boolean;
};

/** One reply while it is read. */
type Reply = {
  readonly reader: ReturnType<typeof createPlanReader>;
  readonly steps: Step[];
};

/** What decides about early steps. */
type EarlyOptions = {
  readonly reading: PlanReading;
  readonly plan: GrowingPlan;
  /** Ids of earlier plans: their steps have run. */
  readonly used: readonly string[];
  /** Whether a step may start behind these even if the plan is never finished. */
  readonly mayStart: (step: ToolStep, before: readonly Step[]) => boolean;
};

/**
 * Passes a step to `start` as soon as its text is complete, if it is valid by itself and all its dependencies run
 * already. Steps are processed in order.
 */
function earlySteps(
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

/**
 * Whether a step only reads, and nothing before it may change what it reads: running it needlessly does no harm. A call
 * that the plan has made already waits for the whole plan: a planner that repeats itself writes it over and over.
 */
export function startsEarly(toolbox: Toolbox): EarlyOptions["mayStart"] {
  const isOrdered = (step: Step) => step.kind === "tool" && keepsOrder(toolbox, step.tool);
  return (step, before) => {
    const { effect, needsApproval = false } = toolbox.get(step.tool)?.policy ?? {};
    if (effect !== "read" || needsApproval !== false) return false;
    const key = callKey(callOfStep(step));
    const isSame = (each: Step) => each.kind === "tool" && callKey(callOfStep(each)) === key;
    return !before.some((each) => isOrdered(each) || isSame(each));
  };
}
