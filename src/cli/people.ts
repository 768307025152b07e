import { z } from "zod";

import type { JsonObject } from "../json/json.js";
import { inOrder, withoutWaiting } from "../plan/revise-plan.js";
import { nextStepId, type TaskStep } from "../plan/step.js";
import { reviewOf } from "../roles/reviewer.js";
import {
  type ActionRequest,
  type AllowedDecision,
  type Decision,
  isAnsweredInWords,
  PersonRequests,
} from "../state/person.js";
import type { Person } from "./io.js";
import type { Pause } from "./read-chunk.js";
import { oneLine, printable } from "./view/event-lines.js";

/**
 * Asks a person everything that a paused run waits for. Returns what LangGraph resumes with, by
 * interrupt id; nothing when the person went away before all was answered.
 */
export async function askPerson(
  pauses: readonly Pause[],
  desk: Desk,
): Promise<Record<string, unknown> | undefined> {
  const answers: Record<string, unknown> = {};
  try {
    for (const { id, value } of pauses) answers[id] = await answerTo(value, desk);
    return answers;
  } catch (error) {
    if (error instanceof Gone) return undefined;
    throw error;
  }
}

async function answerTo(value: unknown, desk: Desk): Promise<unknown> {
  const requests = readRequests(value);
  if (requests === undefined) {
    show([`? ${foreignText(value)}`], desk);
    return typedLine("> ", desk);
  }
  if (requests.error !== undefined) show([requests.error], desk);
  const decisions: Decision[] = [];
  for (const asked of requests.asked) {
    const { id } = asked.action;
    const decision = await decisionOn(asked, desk);
    decisions.push(id === "" ? decision : { ...decision, id });
  }
  return { decisions };
}

async function decisionOn(asked: Asked, desk: Desk): Promise<Decision> {
  show(requestLines(asked), desk);
  if (isQuestion(asked)) return { type: "respond", message: await words(desk) };
  const steps = stepsAsked(asked);
  return steps === undefined ? approval(asked, desk) : reviewedPlan(asked, steps, desk);
}

async function approval(asked: Asked, desk: Desk): Promise<Decision> {
  const hint = hintFor(asked);
  show([hint], desk);
  for (;;) {
    const decision = await decided(await typedLine("> ", desk), asked, desk);
    if (decision !== undefined) return decision;
    show([`Please answer: ${hint}`], desk);
  }
}

function hintFor({ allowed }: Asked): string {
  return [
    ...(allowed.includes("approve") ? ["y = run it"] : []),
    ...(allowed.includes("reject") ? ["n [reason] = do not run it"] : []),
    ...(allowed.includes("edit") ? ["e = edit the arguments"] : []),
  ].join(", ");
}

const choices = [
  { choice: "approve", shape: /^y(?:es)?$/i },
  { choice: "reject", shape: /^no?(?:\s+(?<rest>\S.*))?$/is },
  { choice: "edit", shape: /^e(?:dit)?(?:\s+(?<rest>\S.*))?$/is },
] as const;

/** What a typed line decides; nothing when it is none of the answers allowed. */
async function decided(
  typed: string,
  { action, allowed }: Asked,
  desk: Desk,
): Promise<Decision | undefined> {
  const found = choices.find(({ shape }) => shape.test(typed.trim()));
  if (found === undefined || !allowed.includes(found.choice)) return undefined;
  if (found.choice === "approve") return { type: "approve" };
  const rest = found.shape.exec(typed.trim())?.groups?.["rest"];
  if (found.choice === "edit") {
    const args = await typedArguments(action.args, rest, desk);
    return { type: "edit", edited_action: { name: action.name, args } };
  }
  return rest === undefined ? { type: "reject" } : { type: "reject", message: rest };
}

/** An answer in words; an empty line is none. */
async function words(desk: Desk): Promise<string> {
  for (;;) {
    const typed = (await typedLine("> ", desk)).trim();
    if (typed !== "") return typed;
  }
}

/** The steps after an edit, or why it cannot be made. */
type EditedSteps =
  | { readonly ok: true; readonly steps: readonly TaskStep[] }
  | { readonly ok: false; readonly problem: string };

/** What can be typed to change the steps of a plan, as a hint lists it. */
const editHint =
  "drop S2, order S2 S1 (the others follow), S2: other words, add: words of a new step";

/** Makes the change that a line asks for: `drop S2`, `order S2 S1`, `S2: other words`, `add: words`. Nothing for any other line. */
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

/** The steps with one more: before the one that gives the answer, which then waits for it. */
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

const hint = [
  "y = carry it out, n [reason] = plan anew, e = edit it as JSON;",
  `or first ${editHint}`,
];
const approves = /^y(?:es)?$/i;
const refuses = /^no?(?:\s+(?<reason>\S.*))?$/is;
const writes = /^e(?:dit)?(?:\s+(?<json>\S.*))?$/is;

/** Lets a person change a plan, line by line, until they approve or refuse it. */
async function reviewedPlan(
  { action: { name } }: Asked,
  planned: readonly TaskStep[],
  desk: Desk,
): Promise<Decision> {
  show(hint, desk);
  let steps = planned;
  for (;;) {
    const typed = (await typedLine("> ", desk)).trim();
    const refusal = refuses.exec(typed);
    if (refusal !== null) return refused(refusal.groups?.["reason"]);
    if (approves.test(typed)) {
      return steps === planned ? { type: "approve" } : edit(name, reviewOf(steps).args);
    }
    const json = writes.exec(typed);
    if (json !== null) {
      return edit(name, await typedArguments(reviewOf(steps).args, json.groups?.["json"], desk));
    }
    steps = changed(steps, typed, desk);
  }
}

/** The steps after what was typed, which are shown; the same where it was no change. */
function changed(steps: readonly TaskStep[], typed: string, desk: Desk): readonly TaskStep[] {
  const edited = editSteps(steps, typed);
  if (edited?.ok !== true) {
    show(edited === undefined ? ["Please answer:", ...hint] : [edited.problem], desk);
    return steps;
  }
  show(stepLines(edited.steps), desk);
  return edited.steps;
}

function refused(message: string | undefined): Decision {
  return message === undefined ? { type: "reject" } : { type: "reject", message };
}

function edit(name: string, args: JsonObject): Decision {
  return { type: "edit", edited_action: { name, args } };
}

/** What a person is asked, and what they may answer. */
type AskedOf = {
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
};

const StepAsked = z
  .object({
    id: z.string(),
    task: z.string(),
    after: z.array(z.string()).default([]),
    final: z.literal(true).optional(),
  })
  .transform(({ final, ...step }): TaskStep => {
    return { kind: "task", ...step, ...(final === undefined ? {} : { final }) };
  });

const PlanAsked = z.object({ steps: z.array(StepAsked).min(1) });

/** The steps of a plan that a person is asked about; nothing where something else is asked. */
function stepsAsked({ action, allowed }: AskedOf): readonly TaskStep[] | undefined {
  if (action.name !== "plan" || !allowed.includes("edit")) return undefined;
  return PlanAsked.safeParse(action.args).data?.steps;
}

/** Steps in lines for a person, each with those that it waits for. */
function stepLines(steps: readonly TaskStep[]): readonly string[] {
  return steps.map(({ id, task, after = [] }) => {
    const order = after.length === 0 ? "" : ` (after ${oneLine(after.join(", "), 80)})`;
    return `    ${oneLine(id, 20)} ${printable(task)}${order}`;
  });
}

/** One thing a person is asked, with the answers that are allowed. */
type Asked = {
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
};

/** What people are asked in one pause, and why the same is asked again. */
type Requested = { readonly asked: readonly Asked[]; readonly error: string | undefined };

/** Reads an interrupt's value as requests to people; nothing for what a caller's own tool asks in its own form. */
export function readRequests(value: unknown): Requested | undefined {
  const parsed = PersonRequests.safeParse(value);
  if (!parsed.success) return undefined;
  const { action_requests: actions, review_configs: configs, error } = parsed.data;
  const asked = actions.map((action, at) => ({
    action,
    allowed: configs[at]?.allowed_decisions ?? [],
  }));
  return { asked, error };
}

/** Whether the person answers in words, rather than lets a call run. */
function isQuestion({ allowed: decisions }: Asked): boolean {
  return isAnsweredInWords(decisions);
}

/** A request in lines for a person: the question, or the call that waits for approval with its arguments. */
export function requestLines(asked: Asked): readonly string[] {
  const { name, args, description } = asked.action;
  if (isQuestion(asked)) return [`? ${printable(description)}`];
  const steps = stepsAsked(asked);
  if (steps !== undefined) {
    const [first = ""] = printable(description).split("\n");
    return [`! ${first}`, ...stepLines(steps)];
  }
  const fields = Object.entries(args).map(
    ([field, value]) => `    ${field}: ${printable(JSON.stringify(value))}`,
  );
  return [`! ${printable(description)}`, `  ${oneLine(name, 64)}`, ...fields];
}

/** What a caller's own tool asks, in its own form. */
export function foreignText(value: unknown): string {
  return printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

/** A person who is asked until the signal aborts. */
type Desk = Person & { readonly signal: AbortSignal };

/** The person went away: the input ended, or Ctrl-C. */
class Gone extends Error {}

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** The line that the person types. Throws `Gone` where none comes. */
async function typedLine(prompt: string, { ask, signal }: Desk, prefill?: string): Promise<string> {
  const typed = await ask(prompt, prefill === undefined ? { signal } : { prefill, signal });
  if (typed === undefined || signal.aborted) throw new Gone();
  return typed;
}

/** Arguments as the person wants them; what is no JSON object is asked for again. */
async function typedArguments(
  current: JsonObject,
  given: string | undefined,
  desk: Desk,
): Promise<JsonObject> {
  let typed = given ?? (await typedLine("arguments> ", desk, JSON.stringify(current)));
  for (;;) {
    const args = Args.safeParse(parsedJson(typed));
    if (args.success) return args.data;
    show(['This is no JSON object. Expected one such as {"name": "value"}.'], desk);
    typed = await typedLine("arguments> ", desk, typed);
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows lines where the person reads them. */
function show(lines: readonly string[], { out }: Desk): void {
  for (const line of lines) out.write(`${line}\n`);
}
