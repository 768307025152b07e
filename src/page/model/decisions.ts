import { isJsonObject, type Json, type JsonObject } from "../../json/json.js";
import type { Asked, Interrupted } from "./thread-state.js";

/** What a person decides on a request. */
export type Draft =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly args: JsonObject }
  | { readonly type: "reject" | "respond"; readonly message: string };

/** A decision that was kept as JSON; nothing for anything else. */
export function draftIn(value: Json): Draft | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, args, message } = value;
  if (type === "approve") return { type };
  if (type === "edit" && isJsonObject(args)) return { type, args };
  const isSaid = (type === "reject" || type === "respond") && typeof message === "string";
  return isSaid ? { type, message } : undefined;
}

/** What a request is: a call, a question in words or as a form, a plan or an answer to look at. */
export type RequestKind = "call" | "question" | "form" | "plan" | "answer";

/** What kind of request it is. */
export function kindOf({ args, allowed, schema, callId, effect }: Asked): RequestKind {
  if (allowed.includes("respond") && !allowed.includes("approve")) {
    return schema !== undefined && allowed.includes("edit") ? "form" : "question";
  }
  // By what it is about: a tool may have any name, and must not choose how it is asked for.
  if (effect !== undefined) return "call";
  if (callId === "plan" && Array.isArray(args["steps"])) return "plan";
  return callId === "answer" && typeof args["answer"] === "string" ? "answer" : "call";
}

/** What each pause goes on with, as LangGraph's server takes it: decisions with the ids of their requests, or words. */
export function resumeOf(
  interrupts: readonly Interrupted[],
  drafts: ReadonlyMap<string, Draft>,
): ReadonlyMap<string, Json> {
  return new Map(
    interrupts.map(({ id, asked, isPlain }) => {
      const decisions = asked.flatMap((request) => decisionOf(request, drafts.get(request.id)));
      return [id, isPlain ? wordsOf(drafts.get(id)) : { decisions }];
    }),
  );
}

function wordsOf(draft: Draft | undefined): string {
  return draft !== undefined && "message" in draft ? draft.message : "";
}

function decisionOf({ id, name }: Asked, draft: Draft | undefined): Json[] {
  if (draft === undefined) return [];
  if (draft.type === "edit")
    return [{ id, type: "edit", edited_action: { name, args: draft.args } }];
  if (draft.type === "approve") return [{ id, type: "approve" }];
  if (draft.type === "reject" && draft.message.trim() === "") return [{ id, type: "reject" }];
  return [{ id, type: draft.type, message: draft.message }];
}

/** The question of a request in words. */
export function questionOf({ args, description }: Asked): string {
  const question = args["question"];
  return typeof question === "string" && question.trim() !== "" ? question : description;
}
