import { defined, isJsonObject, jsonCopy, type JsonObject } from "../../json/json.js";
import type { RunScope } from "../../run/scope.js";
import type { Next } from "../../run/stages.js";
import type { Observation } from "../../state/observation.js";
import type { Decision, TakenDecision } from "../../state/person-requests.js";
import { argumentSchema } from "../argument-schema.js";
import { allArguments } from "../from-memory.js";
import { answerIn, questionRequest, requestId, whyTooLate } from "../human-input.js";
import { needsApproval, untrustedRead } from "../needs-approval.js";
import type { ToolPolicy } from "../policy.js";
import {
  observed,
  type ReadCall,
  refused,
  type ToolCallContext,
  type ToolCallResult,
} from "../tool-call.js";
import { readResult } from "../tool-result.js";
import type { ToolEntry } from "../toolbox.js";
import type { CheckedRequest } from "./stage.js";

/** The decisions on a call; a response is its result, and the tool does not run. */
const allowedForCall = ["approve", "edit", "reject", "respond"] as const;

/** Asks a person if the tool needs it, or applies the person's decision. */
export async function approval(
  request: CheckedRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  return answeredByPerson(request) ?? next(request);
}

/** The result of a person's decision, or a request for one; nothing when the tool runs. */
function answeredByPerson(request: CheckedRequest): ToolCallResult | undefined {
  const { call, entry, context, fromMemory } = request;
  const { decision } = context;
  if (entry.role === "ask_user") return answered(call, decision, context);
  if (decision !== undefined) return decided(call, decision, entry, context);
  if (context.execution.isCommitted) return undefined;
  const args = allArguments(request);
  const read = untrustedRead(context);
  if (!needsApproval(entry, args, read)) return undefined;
  const shown = { filled: Object.keys(fromMemory ?? {}), why: afterUntrusted(entry, read) };
  return asks({ ...call, args }, shown, entry, context);
}

function decided(
  call: ReadCall,
  decision: TakenDecision,
  entry: ToolEntry,
  context: ToolCallContext,
): ToolCallResult | undefined {
  const late = whyTooLate(decision.record, entry.policy);
  if (late !== undefined) return expired(call, `not run: ${late}`, entry.policy, context);
  if (decision.type === "respond") return personResult(call, decision.message, context.run);
  if (decision.type !== "reject") return undefined;
  const reason = decision.message === undefined ? "" : ` They said: ${decision.message}`;
  return observed(refused(call, "denied", `a person refused this call.${reason}`, context));
}

/** The result of a call whose decision came too late: it is refused, or handed off to a person. */
export function expired(
  call: ReadCall,
  why: string,
  { onExpiry }: ToolPolicy,
  context: Pick<ToolCallContext, "run">,
): ToolCallResult {
  const observation = refused(call, "denied", why, context);
  if (onExpiry !== "hand_off") return observed(observation);
  const handedOver = { reason: `${call.name} was ${why}` };
  return { kind: "observed", observation, ends: "handed_off", handedOver };
}

/** Why a person is asked about a tool without a rule of its own. */
function afterUntrusted({ policy }: ToolEntry, read: string | undefined): string {
  if (policy.needsApproval !== undefined || read === undefined) return "";
  return `Text from outside was read before (${read}), and may have asked for this.`;
}

function answered(
  call: ReadCall,
  decision: Decision | undefined,
  context: ToolCallContext,
): ToolCallResult {
  if (decision === undefined) {
    return {
      kind: "asks",
      request: questionRequest(call, context.run.runId),
      calledWith: call.args,
    };
  }
  const answer = answerIn(decision, call.args["question"]);
  if (decision.type === "reject") {
    return observed(refused(call, "denied", `the user did not answer. ${answer}`.trim(), context));
  }
  return answeredWith(call, { content: answer }, context.run);
}

/** A person's words instead of the tool's result; data in them is parsed like a tool's. */
export function personResult(call: ReadCall, message: string, run: RunScope): ToolCallResult {
  const { failed: _failed, ...result } = readResult(message);
  return answeredWith(call, result, run);
}

type PersonResult = Pick<Observation, "content" | "value">;

function answeredWith(
  { id: callId, name: tool, args }: ReadCall,
  result: PersonResult,
  run: RunScope,
): ToolCallResult {
  const startedAt = run.clock.now();
  return observed({ callId, tool, args, ok: true, ...result, attempts: 1, startedAt, ms: 0 });
}

function asks(
  call: ReadCall,
  { filled, why }: { readonly filled: readonly string[]; readonly why: string },
  entry: ToolEntry,
  { run }: ToolCallContext,
): ToolCallResult {
  const { tool, policy } = entry;
  const { id: callId, name, args } = call;
  const { effect, expiresAfter } = policy;
  const action = {
    id: requestId(run.runId, callId, "approval", args),
    name,
    args,
    ...(filled.length === 0 ? {} : { from_memory: filled }),
    description: [`Run ${name}? ${tool.description}`, why].join(" ").trim(),
    ...defined({ effect }),
  };
  const more = defined({ expiresAfter, form: formOf(entry) });
  const request = { callId, action, allowed: allowedForCall, ...more };
  return { kind: "asks", request, calledWith: args };
}

/** The longest schema that a request has, as JSON: each request is kept in the checkpoint, in events and in traces. */
const maxSchemaChars = 20_000;

/** The arguments that an edit may send, those that memory fills among them; nothing where that would be too long. */
function formOf({ tool, whole = tool }: ToolEntry): JsonObject | undefined {
  const schema = jsonCopy(argumentSchema(whole));
  const isShort = JSON.stringify(schema).length <= maxSchemaChars;
  return isJsonObject(schema) && isShort ? schema : undefined;
}
