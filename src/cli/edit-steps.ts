import { inOrder, withoutWaiting } from "../plan/revise-plan.js";
import { nextStepId, type TaskStep } from "../plan/step.js";

/** The steps after an edit, or why the edit is not possible. */
type EditedSteps =
  | { readonly ok: true; readonly steps: readonly TaskStep[] }
  | { readonly ok: false; readonly problem: string };

/** Makes the change in a line: `drop S2`, `order S2 S1`, `S2: other words`, `add: words`. Undefined for other lines. */
export function editSteps(steps: readonly TaskStep[], typed: string): EditedSteps | undefined {
  const [, verb = "", rest = ""] = /^(drop|order)\s+(\S.*)$/i.exec(typed.trim()) ?? [];
  if (verb !== "") return listed(steps, verb.toLowerCase(), rest);
  const [, name = "", task = ""] = /^(\w+)\s*[:：]\s*(\S.*)$/s.exec(typed.trim()) ?? [];
  if (name.toLowerCase() === "add") return { ok: true, steps: withNew(steps, task.trim()) };
  return name === "" ? undefined : reworded(steps, name, task.trim());
}

function listed(steps: readonly TaskStep[], verb: string, rest: string): EditedSteps {
  const ids = rest.split(/[\s,]+/).filter((id) => id !== "");
  const found = ids.map((id) => stepOf(steps, id));
  const named = found.filter((step) => step !== undefined);
  const missing = ids.find((_, at) => found[at] === undefined);
  if (missing !== undefined) return unknownStep(steps, missing);
  if (verb === "order") return { ok: true, steps: inOrder([...new Set([...named, ...steps])]) };
  const kept = steps.filter((step) => !named.includes(step));
  const gone = new Set(named.map(({ id }) => id));
  return kept.length === 0
    ? { ok: false, problem: "No step would be left: n [reason] refuses the whole plan." }
    : { ok: true, steps: kept.map((step) => withoutWaiting(step, (id) => gone.has(id))) };
}

function reworded(steps: readonly TaskStep[], name: string, task: string): EditedSteps {
  const found = stepOf(steps, name);
  if (found === undefined) return unknownStep(steps, name);
  return { ok: true, steps: steps.map((step) => (step === found ? { ...step, task } : step)) };
}

/** The steps with one more, before the step that gives the answer, which then depends on it. */
function withNew(steps: readonly TaskStep[], task: string): TaskStep[] {
  const id = nextStepId(
    steps.flatMap((step) => [step.id, ...(step.after ?? [])]),
    "task",
  );
  const added: TaskStep = { kind: "task", id, task };
  const last = steps.at(-1);
  if (last?.final !== true) return [...steps, added];
  return [...steps.slice(0, -1), added, { ...last, after: [...(last.after ?? []), id] }];
}

function stepOf(steps: readonly TaskStep[], name: string): TaskStep | undefined {
  return steps.find(({ id }) => id.toLowerCase() === name.toLowerCase());
}

function unknownStep(steps: readonly TaskStep[], name: string): EditedSteps {
  const ids = steps.map(({ id }) => id).join(", ");
  return { ok: false, problem: `There is no step ${name}: expected one of ${ids}.` };
}
