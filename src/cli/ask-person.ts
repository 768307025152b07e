import type { Decision } from "../state/person.js";
import { type Desk, Gone, show, typedArguments, typedLine } from "./desk.js";
import { type Asked, foreignText, isQuestion, readRequests, requestLines } from "./person-lines.js";
import type { Pause } from "./read-chunk.js";
import { reviewedPlan } from "./review-plan.js";
import { stepsAsked } from "./steps-asked.js";

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
