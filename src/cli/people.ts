import { z } from "zod";

import { defined, type Json, type JsonObject, parsedJson } from "../json/json.js";
import type { TaskStep } from "../plan/step.js";
import { reviewOf } from "../roles/reviewer.js";
import {
  type ActionRequest,
  type AllowedDecision,
  type Decision,
  isAnsweredInWords,
  PersonRequests,
} from "../state/person-requests.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { editSteps } from "./edit-steps.js";
import type { Person } from "./io.js";
import { oneLine, printable } from "./view/event-lines.js";

/** One interrupt: the question, and the id for its answer. */
export type Pause = { readonly id: string; readonly value: unknown };

/** Asks a person about each interrupt. Returns the resume values by interrupt id; undefined if the person left. */
export async function askPerson(
  pauses: readonly Pause[],
  ui: PromptUi,
): Promise<Record<string, unknown> | undefined> {
  const answers: Record<string, unknown> = {};
  try {
    for (const { id, value } of pauses) answers[id] = await answerTo(value, ui);
    return answers;
  } catch (error) {
    if (error instanceof Gone) return undefined;
    throw error;
  }
}

async function answerTo(value: unknown, ui: PromptUi): Promise<unknown> {
  const requests = readRequests(value);
  if (requests === undefined) {
    show([`? ${foreignText(value)}`], ui);
    return typedLine("> ", ui);
  }
  if (requests.error !== undefined) show([requests.error], ui);
  const decisions: Decision[] = [];
  for (const asked of requests.asked) {
    const { id } = asked.action;
    const decision = await decisionOn(asked, ui);
    decisions.push(id === "" ? decision : { ...decision, id });
  }
  return { decisions };
}

async function decisionOn(asked: Asked, ui: PromptUi): Promise<Decision> {
  show(requestLines(asked), ui);
  if (isAnsweredInWords(asked.allowed)) {
    return asked.form !== undefined && asked.allowed.includes("edit")
      ? filledForm(asked.action, asked.form, ui)
      : { type: "respond", message: await words(ui) };
  }
  const steps = stepsAsked(asked);
  return steps === undefined ? approval(asked, ui) : reviewedPlan(asked, steps, ui);
}

async function approval(asked: Asked, ui: PromptUi): Promise<Decision> {
  const hint = hintFor(asked);
  show([hint], ui);
  for (;;) {
    const given = readChoice(await typedLine("> ", ui));
    if (given !== undefined && asked.allowed.includes(given.choice)) {
      return decided(given, asked.action, ui);
    }
    show([`Please answer: ${hint}`], ui);
  }
}

function hintFor({ action: { name }, allowed, form }: Asked): string {
  const offered = choices.filter(({ choice }) => allowed.includes(choice));
  const isYesOrNo = form !== undefined && Object.keys(propertiesOf(form)).length === 0;
  const ofCall = isYesOrNo && !allowed.includes("edit") ? hintsOf.yesOrNo : hintsOf.call;
  const hints = name === "plan" || name === "answer" ? hintsOf[name] : ofCall;
  return offered.map(({ choice }) => hints[choice]).join(", ");
}

/** What each choice does with a call, a question without fields, a plan and an answer. */
const hintsOf = {
  yesOrNo: { approve: "y = yes", reject: "n = no", edit: "e = edit it as JSON" },
  call: {
    approve: "y = run it",
    reject: "n [reason] = do not run it",
    edit: "e = edit the arguments",
  },
  plan: {
    approve: "y = run it",
    reject: "n [reason] = plan again",
    edit: "e = edit it as JSON",
  },
  answer: {
    approve: "y = send it",
    reject: "n [reason] = do not send it",
    edit: "e = edit it as JSON",
  },
};

const choices = [
  { choice: "approve", shape: /^y(?:es)?$/i },
  { choice: "reject", shape: /^no?(?:\s+(?<rest>\S.*))?$/is },
  { choice: "edit", shape: /^e(?:dit)?(?:\s+(?<rest>\S.*))?$/is },
] as const;

/** The choice in a typed line, with the text after its first word; undefined for any other line. */
function readChoice(typed: string) {
  for (const { choice, shape } of choices) {
    const found = shape.exec(typed.trim());
    if (found !== null) return { choice, rest: found.groups?.["rest"] };
  }
  return undefined;
}

/** Turns a choice into a decision; to edit, the person types the arguments. */
async function decided(
  { choice, rest }: NonNullable<ReturnType<typeof readChoice>>,
  { name, args }: Pick<ActionRequest, "name" | "args">,
  ui: PromptUi,
): Promise<Decision> {
  if (choice === "approve") return { type: "approve" };
  if (choice === "edit") return edit(name, await typedArguments(args, rest, ui));
  return rest === undefined ? { type: "reject" } : { type: "reject", message: rest };
}

function edit(name: string, args: JsonObject): Decision {
  return { type: "edit", edited_action: { name, args } };
}

/** The answer to a form, field by field. A first empty line declines it; later ones leave a field as it is. */
async function filledForm(
  { name, args }: ActionRequest,
  form: JsonObject,
  ui: PromptUi,
): Promise<Decision> {
  show(["(An empty line declines to answer.)"], ui);
  const filled: Record<string, Json> = { ...args };
  for (const [at, field] of Object.keys(propertiesOf(form)).entries()) {
    const typed = await typedLine(`${oneLine(field, 64)}> `, ui);
    if (typed.trim() === "" && at === 0) return { type: "reject" };
    if (typed.trim() !== "") filled[field] = typed;
  }
  return edit(name, filled);
}

/** A text answer; an empty line is not one. */
async function words(ui: PromptUi): Promise<string> {
  for (;;) {
    const typed = (await typedLine("> ", ui)).trim();
    if (typed !== "") return typed;
  }
}

const planHint = [
  `${Object.values(hintsOf.plan).join(", ")};`,
  "or first drop S2, order S2 S1 (the others follow), S2: other words, add: words of a new step",
];

/** Lets a person change a plan line by line until they approve or refuse it. */
async function reviewedPlan(
  { action: { name } }: Asked,
  planned: readonly TaskStep[],
  ui: PromptUi,
): Promise<Decision> {
  show(planHint, ui);
  let steps = planned;
  for (;;) {
    const typed = await typedLine("> ", ui);
    const given = readChoice(typed);
    const { args } = reviewOf(steps);
    if (given?.choice === "approve" && steps !== planned) return edit(name, args);
    if (given !== undefined) return decided(given, { name, args }, ui);
    steps = changed(steps, typed, ui);
  }
}

/** Makes a typed change to the steps and shows them; returns the same steps for any other line. */
function changed(steps: readonly TaskStep[], typed: string, ui: PromptUi): readonly TaskStep[] {
  const edited = editSteps(steps, typed);
  if (edited?.ok !== true) {
    show(edited === undefined ? ["Please answer:", ...planHint] : [edited.problem], ui);
    return steps;
  }
  show(stepLines(edited.steps), ui);
  return edited.steps;
}

const StepAsked = z
  .object({
    id: z.string(),
    task: z.string(),
    after: z.array(z.string()).default([]),
    final: z.literal(true).optional(),
    executor: z.string().optional(),
  })
  .transform(({ final, executor, ...step }): TaskStep => ({
    kind: "task",
    ...step,
    ...defined({ final, executor }),
  }));

const PlanAsked = z.object({ steps: z.array(StepAsked).min(1) });

/** The steps of a plan in a request; undefined if the request is about something else. */
function stepsAsked({ action, allowed }: Asked): readonly TaskStep[] | undefined {
  if (action.name !== "plan" || !allowed.includes("edit")) return undefined;
  return PlanAsked.safeParse(action.args).data?.steps;
}

const CallAsked = z.strictObject({
  id: z.string(),
  thought: z.string().optional(),
  tool: z.string(),
  args: z.record(z.string(), z.json()),
  after: z.array(z.string()).optional(),
});

const CallsAsked = z.strictObject({ steps: z.array(CallAsked).min(1) });

/** The steps of a plan of calls, as lines for a person; undefined if the request is about something else. */
function callsAsked({ action }: Asked): readonly string[] | undefined {
  if (action.name !== "plan") return undefined;
  return CallsAsked.safeParse(action.args).data?.steps.map(
    ({ id, thought = "", tool, args, after = [] }) => {
      const call = `${oneLine(tool, 64)} ${printable(JSON.stringify(args))}`;
      const why = thought === "" ? "" : `${printable(thought)}: `;
      return `    ${oneLine(id, 20)} ${why}${call}${orderText(after)}`;
    },
  );
}

function orderText(after: readonly string[]): string {
  return after.length === 0 ? "" : ` (after ${oneLine(after.join(", "), 80)})`;
}

/** Steps as lines for a person, each with the steps that it depends on. */
function stepLines(steps: readonly TaskStep[]): readonly string[] {
  return steps.map(({ id, task, executor, after = [] }) => {
    const by = executor === undefined ? "" : ` [${oneLine(executor, 64)}]`;
    return `    ${oneLine(id, 20)} ${printable(task)}${by}${orderText(after)}`;
  });
}

/** One request to a person, with the allowed decisions. */
type Asked = {
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
  /** JSON Schema of what an edit may send. */
  readonly form?: JsonObject;
};

/** The requests of one pause, and why they are asked again. */
type Requested = { readonly asked: readonly Asked[]; readonly error: string | undefined };

/** Reads an interrupt's value as requests; undefined for the value of a caller's own tool. */
export function readRequests(value: unknown): Requested | undefined {
  const parsed = PersonRequests.safeParse(value);
  if (!parsed.success) return undefined;
  const { action_requests: actions, review_configs: configs, error } = parsed.data;
  const asked = actions.map((action, at) => ({
    action,
    allowed: configs[at]?.allowed_decisions ?? [],
    ...defined({ form: configs[at]?.args_schema }),
  }));
  return { asked, error };
}

/** A request as lines for a person: the question, or the call to approve with its arguments. */
export function requestLines(asked: Asked): readonly string[] {
  const { name, args, description } = asked.action;
  if (isAnsweredInWords(asked.allowed)) return [`? ${printable(description)}`];
  const steps = stepsAsked(asked);
  if (steps !== undefined) {
    const [first = ""] = printable(description).split("\n");
    return [`! ${first}`, ...stepLines(steps)];
  }
  const calls = callsAsked(asked);
  const [first = ""] = printable(description).split("\n");
  if (calls !== undefined) return [`! ${first}`, ...calls];
  const title = `! ${printable(description)}`;
  const { answer, ...others } = args;
  const isShown = name === "answer" && typeof answer === "string" && description.includes(answer);
  if (isShown) return [title, ...fieldLines(others)];
  return [title, `  ${oneLine(name, 64)}`, ...fieldLines(args)];
}

function fieldLines(args: JsonObject): readonly string[] {
  return Object.entries(args).map(
    ([field, value]) => `    ${field}: ${printable(JSON.stringify(value))}`,
  );
}

/** The interrupt value of a caller's own tool. */
export function foreignText(value: unknown): string {
  return printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

/** The terminal for questions, until the signal aborts. */
type PromptUi = Person & { readonly signal: AbortSignal };

/** The person left: the input ended, or Ctrl-C. */
class Gone extends Error {}

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** The line that the person types. Throws `Gone` if none comes. */
async function typedLine(
  prompt: string,
  { ask, signal }: PromptUi,
  prefill?: string,
): Promise<string> {
  const typed = await ask(prompt, prefill === undefined ? { signal } : { prefill, signal });
  if (typed === undefined || signal.aborted) throw new Gone();
  return typed;
}

/** Arguments from the person; anything but a JSON object is asked for again. */
async function typedArguments(
  current: JsonObject,
  given: string | undefined,
  ui: PromptUi,
): Promise<JsonObject> {
  let typed = given ?? (await typedLine("arguments> ", ui, JSON.stringify(current)));
  for (;;) {
    const args = Args.safeParse(parsedJson(typed));
    if (args.success) return args.data;
    show(['This is not a JSON object. Expected one such as {"name": "value"}.'], ui);
    typed = await typedLine("arguments> ", ui, typed);
  }
}

/** Shows lines to the person. */
function show(lines: readonly string[], { out }: PromptUi): void {
  for (const line of lines) out.write(`${line}\n`);
}
