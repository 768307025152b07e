import { callKey, dependenciesOf, onlyTextIn, type ToolStep } from "./step.js";

/** What is known of the tools of a plan. */
export type PlanToolKinds = {
  /** Whether a call of the tool may change anything. */
  readonly acts: (tool: string) => boolean;
  /** Whether the tool calculates with what it is given. */
  readonly calculates: (tool: string) => boolean;
};

/**
 * The steps, where one that makes the call of an earlier step again takes the result of that step instead: the same call
 * finds nothing new, and what its purpose names stands in that result. Small models plan a chain of look-ups so ("the firm
 * that built the bridge", "the head of that firm": both look up the bridge). Calls that change something are made as they
 * are, and so are those whose results somebody calculates with: one result may hold several figures.
 */
export function followRepeats(steps: readonly ToolStep[], kinds: PlanToolKinds): ToolStep[] {
  const calculated = new Set(
    steps.filter(({ tool }) => kinds.calculates(tool)).flatMap((step) => dependenciesOf(step)),
  );
  const latest = new Map<string, ToolStep>();
  return steps.map((step) => {
    const key = callKey({ name: step.tool, args: step.args });
    const before = latest.get(key);
    latest.set(key, step);
    const name = onlyTextIn(step.args);
    if (before === undefined || name === undefined || calculated.has(step.id)) return step;
    if (kinds.acts(step.tool) || purposeOf(step) === purposeOf(before)) return step;
    return { ...step, args: { ...step.args, [name]: `{{${before.id}}}` } };
  });
}

function purposeOf({ thought = "" }: ToolStep): string {
  return thought.trim().toLowerCase();
}
