import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { type AnswerGrounds, checkedAnswer } from "../evidence/checked-answer.js";
import { isCourtesy } from "../evidence/courtesy.js";
import { ungroundedFigures } from "../evidence/figures.js";
import { unitsOf } from "../evidence/units.js";
import { jsonCopy, parsedJson } from "../json/json.js";
import { inLanguageOf, notApproved } from "../prompts/courtesy.js";
import { factLines } from "../prompts/fact-lines.js";
import { resultLines } from "../prompts/results.js";
import { correctionTask, verifierInstructions } from "../roles/verifier.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { isKnown, knownTexts, lastQuestion } from "../runtime/messages.js";
import type { Assisted, AssistantState } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import { noUsage, type Usage } from "../state/usage.js";

type VerifierWrites = Writes<typeof AssistantState, "usage" | "run"> &
  Partial<Writes<typeof AssistantState, "answer" | "failedWays">>;

/** What is left of an answer, and what was said without a ground. */
type Checked = ReturnType<typeof checkedAnswer>;

type VerifierOptions = {
  /** The name of the tool that searches the knowledge base, whose texts the agent has not seen. */
  readonly search: string | undefined;
};

/**
 * Verifies what the agent says: its sentences must stand on the user's words, on memory, or on results of trusted tools.
 * So does what was refused. Others go back to a model once; then they go. An agent that did something and says nothing
 * that stands is answered for by the results themselves.
 */
export function createVerifier({ search }: VerifierOptions): GraphNode<typeof AssistantState> {
  return async function verifier(state, config): Promise<VerifierWrites> {
    const run = enterRun(state, config, "verifier");
    const { answer = "", failedWays } = state;
    const done = state.observations.filter(
      ({ tool, ok, attempts }) => ok && attempts > 0 && tool !== search,
    );
    const refusals = state.observations.filter((each) => each.tool !== search && isRefusal(each));
    const grounds = groundsOf(state, { done, refusals }, run);
    const first = checkedAnswer(answer, grounds);
    if (isOnlyAsking(answer, grounds) || (first.dropped.length === 0 && first.kept !== "")) {
      return { usage: noUsage, run: run.record() };
    }
    if (done.length === 0 && refusals.length > 0) {
      const told = first.kept === "" ? toldRefusals(refusals, state) : first.kept;
      return { answer: told, usage: noUsage, run: run.record() };
    }
    if (done.length === 0) {
      const unknown = [...failedWays, "agent" as const];
      return { answer: undefined, failedWays: unknown, usage: noUsage, run: run.record() };
    }
    const { kept, usage } = await corrected(
      first,
      { grounds, done, question: lastQuestion(state.messages) },
      run,
    );
    return { answer: kept === "" ? toldResults(done) : kept, usage, run: run.record() };
  };
}

/** What the agent's words may stand on: results and memory; the user's words lend figures and names. */
function groundsOf(
  { messages, query }: Assisted,
  {
    done,
    refusals,
  }: { readonly done: readonly Observation[]; readonly refusals: readonly Observation[] },
  run: Run,
): AnswerGrounds {
  return {
    quotes: [...done.filter(isKnown).flatMap(linesOf), ...refusals.flatMap(reasonsOf)],
    known: run.memory.texts(),
    asked: [...knownTexts(messages, run).flatMap(asLines), query?.rewritten ?? ""],
  };
}

/** A text as lines, where it is JSON. */
function asLines(text: string): readonly string[] {
  const value = /^\s*[[{]/.test(text) ? jsonCopy(parsedJson(text)) : undefined;
  return value === undefined ? [text] : factLines(value);
}

/** A result as lines: the structured one where there is one. */
function linesOf({ content, value }: Observation): readonly string[] {
  return value === undefined ? [content] : factLines(value);
}

/** Whether a person has refused a call, or a trusted tool has, in its own words: the user is told so. */
function isRefusal({ error, attempts, trust }: Observation): boolean {
  if (error?.kind === "denied") return true;
  return error?.kind === "rejected" && attempts > 0 && trust === undefined;
}

function reasonsOf({ error }: Observation): readonly string[] {
  const { kind, message = "" } = error ?? {};
  return kind === "denied" ? [...Object.values(notApproved), message] : [message];
}

/** What was refused, without a model's words. */
function toldRefusals(refusals: readonly Observation[], { messages }: Assisted): string {
  const told = refusals.map(({ error }) =>
    error?.kind === "rejected" ? error.message : inLanguageOf(lastQuestion(messages), notApproved),
  );
  return [...new Set(told)].join("\n");
}

/** What was done, without a model's words. What an untrusted tool returned is not told. */
function toldResults(done: readonly Observation[]): string {
  const told = done.map(
    (each) => `${each.tool}: ${isKnown(each) ? linesOf(each).join(", ") : "done"}`,
  );
  return told.join("\n");
}

function asks(unit: string): boolean {
  return /[?？][\s*_”"』」）)]*$/u.test(unit);
}

/** Words for something that was done, which no question needs. */
const deeds =
  /已|成功|完毕|办好|好了|\b(?:have|has|had|was|were|been|already|successfully|done)\b/iu;

/** Whether a question tells of something done, beside what it asks of the user: "I have refunded it, anything else?" */
function tellsDeeds(question: string): boolean {
  const asked = question
    .replaceAll(/[您你](?:是否|是不是)?已经?/gu, "")
    .replace(/^[^\p{L}]*(?:has|have|had|was|were)\s(?:your|you|the|it|this|that)\b/iu, "");
  return deeds.test(asked);
}

/** Whether an answer only asks the user something: that claims nothing. */
function isOnlyAsking(answer: string, { quotes, known, asked = [] }: AnswerGrounds): boolean {
  const units = unitsOf(answer);
  const isQuestion = (unit: string) => asks(unit) && !tellsDeeds(unit);
  const isOne = units.some(asks) && units.every((unit) => isQuestion(unit) || isCourtesy(unit));
  return isOne && ungroundedFigures(answer, [...quotes, ...known, ...asked]).length === 0;
}

type Asked = {
  readonly grounds: AnswerGrounds;
  readonly done: readonly Observation[];
  readonly question: string;
};

/** Asks once for the answer without what has no ground. */
async function corrected(
  first: Checked,
  { grounds, done, question }: Asked,
  run: Run,
): Promise<{ readonly kept: string; readonly usage: Usage }> {
  const reply = await run.ask("solver", {
    messages: [
      new SystemMessage(verifierInstructions),
      new HumanMessage(`The results:\n${resultLines(done).join("\n")}`),
      new HumanMessage(correctionTask(question, first.dropped)),
    ],
  });
  const { usage } = reply;
  if (reply.kind !== "replied") return { kept: first.kept, usage };
  const second = checkedAnswer(reply.message.text, grounds);
  return { kept: second.kept === "" ? first.kept : second.kept, usage };
}
