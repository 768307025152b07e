import { defined } from "../json/json.js";
import type { Outcome } from "../state/outcome.js";
import type { PersonRequests } from "../state/person.js";
import { type GivenFlags, resumeCommand } from "./flags.js";
import { type CliIo, outcomeStatus } from "./io.js";
import { foreignText, readRequests, requestLines } from "./people.js";
import type { Ending } from "./run-session.js";
import { oneLine } from "./view/event-lines.js";
import type { View } from "./view/plain-view.js";

/** What is told about a run that ended or paused. */
export type Report = {
  readonly graph: string;
  readonly thread: string;
  readonly given: GivenFlags;
  readonly ending: Ending;
  readonly view: View;
  readonly io: CliIo;
};

/** Tells what a run brought, on the streams where each part belongs. Returns the exit status. */
export function report(told: Report): number {
  const { graph, given, ending, view, io } = told;
  const { usage, ms } = ending.result;
  const outcome = outcomeOf(ending);
  const answer = ending.result.answer ?? outcome.reason ?? null;
  if (given.json) {
    const object = { graph, ...jsonOf(ending.result, answer, outcome) };
    io.stdout.write(`${JSON.stringify(object, null, 2)}\n`);
  } else if (outcome.status === "needs_input") {
    // A person at the terminal has read it.
    if (io.person === undefined) view.answer(askedLines(ending, outcome).join("\n"));
  } else if (outcome.status !== "failed" && answer !== null) {
    view.answer(answer);
  }
  view.summary(outcome, usage, ms);
  const note = noteOn(outcome, told);
  if (note !== undefined) io.stderr.write(`${note}\n`);
  return outcomeStatus(outcome);
}

/** What of a result `--json` prints. */
function jsonOf(
  { usage, observations, steps, route }: Ending["result"],
  answer: string | null,
  outcome: Outcome,
) {
  const plan = steps.length === 0 ? {} : { steps };
  return { ...defined({ route }), answer, outcome, usage, ...plan, observations };
}

/** How the run ended; a paused one waits for input, as one that could not pause says in the same form. */
function outcomeOf({ result, pauses }: Ending): Outcome {
  if (pauses.length === 0) {
    return result.outcome ?? { status: "failed", reason: "The run ended without an outcome." };
  }
  const asked = pauses.flatMap(({ value }) => readRequests(value)?.asked ?? []);
  const requests: PersonRequests = {
    action_requests: asked.map(({ action }) => action),
    review_configs: asked.map(({ action, allowed }) => ({
      action_name: action.name,
      allowed_decisions: allowed,
    })),
  };
  const reason = pauses.flatMap(({ value }) => descriptions(value)).join("\n");
  return { status: "needs_input", reason, requests };
}

function descriptions(value: unknown): readonly string[] {
  return readRequests(value)?.asked.map(({ action }) => action.description) ?? [foreignText(value)];
}

/** What a run waits for, in lines for a person. */
function askedLines({ pauses }: Ending, { requests }: Outcome): readonly string[] {
  const values = pauses.length > 0 ? pauses.map(({ value }) => value) : [requests];
  return values.flatMap(
    (value) => readRequests(value)?.asked.flatMap(requestLines) ?? [`? ${foreignText(value)}`],
  );
}

/** One sentence on why there is no plain answer, and what to do about it. */
function noteOn(outcome: Outcome, told: Report): string | undefined {
  if (outcome.status === "answered") return undefined;
  if (outcome.status === "needs_input") return howToAnswer(told);
  if (outcome.status === "limit") return `plangraph: stopped at a limit: ${outcome.limit}.`;
  if (outcome.status === "handed_off") return "plangraph: handed off to a person.";
  return `plangraph: the run failed: ${oneLine(outcome.reason ?? "for an unknown reason.", 600)}`;
}

function howToAnswer({ graph, thread, given }: Report): string {
  if (given.checkpoint === undefined) {
    return "plangraph: input is needed. Run this in a terminal without --json to be asked, or add --checkpoint FILE.db --thread ID to answer later.";
  }
  const command = resumeCommand(graph, { ...given, json: false }, thread);
  return `plangraph: input is needed. To answer, run this in a terminal: ${command}`;
}
