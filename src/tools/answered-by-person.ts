import type { JsonObject } from "../plan/json.js";
import type { AllowedDecision, Decision } from "../state/person.js";
import { observed, refused } from "./observe-call.js";
import type { ReadCall, ToolCallContext, ToolCallResult } from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";

/** What a person's decision, or the need for one, makes of the call; nothing when the tool is to run. */
export function answeredByPerson(
  call: ReadCall,
  entry: ToolEntry,
  context: ToolCallContext,
): ToolCallResult | undefined {
  const { decision } = context;
  if (entry.role === "ask_user") return answered(call, decision, context);
  if (decision?.type === "reject" || decision?.type === "respond") {
    const reason = decision.message === undefined ? "" : ` They said: ${decision.message}`;
    return observed(refused(call, "denied", `a person refused this call.${reason}`, context));
  }
  const isCleared = decision !== undefined || context.onRecord === true;
  if (isCleared || !needsApproval(entry, call.args)) return undefined;
  return asks(call, `Run ${call.name}? ${entry.tool.description}`, ["approve", "edit", "reject"]);
}

/** Whether a person must approve; a rule that fails on these arguments means so too. */
function needsApproval({ policy }: ToolEntry, args: JsonObject): boolean {
  const { needsApproval: needs = false } = policy;
  try {
    return typeof needs === "function" ? needs(args) : needs;
  } catch {
    return true;
  }
}

function answered(
  call: ReadCall,
  decision: Decision | undefined,
  context: ToolCallContext,
): ToolCallResult {
  const { question } = call.args;
  const answer = answerIn(decision, question);
  if (answer === undefined) return asksQuestion(call, question);
  if (decision?.type === "reject") {
    return observed(refused(call, "denied", `the user did not answer. ${answer}`.trim(), context));
  }
  const { clock } = context.run;
  return observed({
    callId: call.id,
    tool: call.name,
    args: call.args,
    ok: true,
    content: answer,
    attempts: 1,
    startedAt: clock.now(),
    ms: 0,
  });
}

/** Front ends that know no answers in words show the arguments for editing: one of them is the answer's place. */
function asksQuestion(call: ReadCall, question: unknown): ToolCallResult {
  const description = typeof question === "string" ? question : call.name;
  const shown = { ...call.args, answer: "" };
  return asks(call, description, ["respond", "edit", "reject"], shown);
}

/** The answer to a question in whatever decision it came: an edit holds it as `answer`, or in place of the question. */
function answerIn(decision: Decision | undefined, question: unknown): string | undefined {
  if (decision === undefined) return undefined;
  if (decision.type === "respond") return decision.message;
  if (decision.type === "reject") return decision.message ?? "";
  if (decision.type === "approve") return "yes";
  const { answer, ...rest } = decision.edited_action.args;
  const texts = [answer, ...Object.values(rest).filter((value) => value !== question)];
  return texts.find(isSaid) ?? "(The user gave no answer.)";
}

function isSaid(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function asks(
  call: ReadCall,
  description: string,
  allowed: readonly AllowedDecision[],
  shown: JsonObject = call.args,
): ToolCallResult {
  const action = { name: call.name, args: shown, description };
  return { kind: "asks", request: { callId: call.id, action, allowed }, calledWith: call.args };
}
