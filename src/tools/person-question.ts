import { hash } from "node:crypto";

import { canonicalJson, type JsonObject } from "../json/json.js";
import type { Decision } from "../state/person.js";
import type { PersonRequest, ReadCall } from "./tool-call.js";

/**
 * The id of what a call of a run asks people: the same whenever the same is asked again, in any process, and another for
 * any other question. `asking` tells apart what is asked of one call.
 */
export function requestId(runId: string, callId: string, asking: string, args: JsonObject): string {
  const key = hash("sha256", [runId, callId, asking, canonicalJson(args)].join("\n"));
  // No number in hexadecimal digits alone, which LangGraph takes for the id of an interrupt.
  return `req_${key.slice(0, 24)}`;
}

/** The request that asks a person the question of a call, in words or as arguments to fill in. */
export function questionRequest({ id, name, args }: ReadCall, runId: string): PersonRequest {
  const { question } = args;
  const description = typeof question === "string" ? question : name;
  // Front ends that know no answers in words show the arguments for editing: one of them is the answer's place.
  const action = {
    id: requestId(runId, id, "question", args),
    name,
    args: { ...args, answer: "" },
    description,
  };
  return { callId: id, action, allowed: ["respond", "edit", "reject"] };
}

/** The answer to a question in whatever decision it came: an edit holds it as `answer`, or in place of the question. */
export function answerIn(decision: Decision, question: unknown): string {
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
