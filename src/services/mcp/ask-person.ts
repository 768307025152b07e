import type { RunnableConfig } from "@langchain/core/runnables";
import { z } from "zod";

import { canonicalJson, type JsonObject } from "../../json/json.js";
import { sha256 } from "../../platform.js";
import { type ParentRun, parentRunOf } from "../../run/scope.js";
import { openCallSignal } from "../../run/signals.js";
import { noUsage } from "../../state/usage.js";
import { personRequests, requestId } from "../../tools/human-input.js";
import type { PersonRequest } from "../../tools/tool-call.js";
import {
  allowedFor,
  type Answer,
  answerFrom,
  emptyForm,
  fieldsInWords,
  type Question,
} from "./elicited-form.js";
import type { Elicited } from "./open-requests.js";

/** Where a call is made: a question and its answer are of this place and of no other. */
export type PlaceOfCall = {
  /** The server's name. */
  readonly server: string;
  /** Its address or command. */
  readonly at: string;
  readonly tool: string;
};

/** A call whose server may ask a person. */
export type AskingCall = {
  /** For the request to the server. */
  readonly elicited: Elicited;
  readonly signal: AbortSignal;
  /** Whether a question waits for people: the result of the request does not count. */
  readonly waits: () => boolean;
  /** Passes the question on to people. */
  readonly ask: () => void;
  /** What became of questions that nobody was asked; empty without any. */
  readonly notes: ReadonlySet<string>;
  readonly close: () => void;
};

const Field = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const Asked = z.object({
  /** Identifies the question and its place. */
  key: z.string(),
  message: z.string(),
  requestedSchema: z.record(z.string(), z.json()).transform((form): JsonObject => form),
});
const Answered = z.object({
  /** The question. */
  key: z.string(),
  answer: z.object({
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.record(z.string(), Field).exactOptional(),
  }),
});

/** What a call keeps while people are asked: the open question, and the answers before. */
const Kept = z.object({ asked: Asked, answers: z.array(Answered).readonly() });

type Asked = z.infer<typeof Asked>;
type Answered = z.infer<typeof Answered>;

/** Milliseconds in which a server may end a call whose question was cancelled. */
const endMs = 2_000;

const cancel = { action: "cancel" } as const;

/**
 * Opens a call that may ask. A run may wait for days, and a server does not. So the first question without an answer is
 * cancelled, people are asked, and the call is made again: then the same question gets their answer.
 */
export async function openAskingCall(
  place: PlaceOfCall,
  config: RunnableConfig,
): Promise<AskingCall> {
  const parent = parentRunOf(config);
  const { answers, asked, problem } = await answersSoFar(parent);
  const left = [...answers];
  const open = openCallSignal(config.signal ?? new AbortController().signal, Infinity);
  const notes = new Set<string>();
  let waiting = asked;
  let timer: NodeJS.Timeout | undefined;
  const answer = (question: Question): Answer => {
    const key = keyOf(place, question);
    const at = left.findIndex((each) => each.key === key);
    const [known] = at === -1 ? [] : left.splice(at, 1);
    if (known !== undefined) return known.answer;
    const why = parent?.call === undefined ? "nobody can be asked here" : whyNotShown(question);
    if (why !== undefined) notes.add(noteOn(question, why));
    if (why !== undefined || waiting !== undefined) return cancel;
    waiting = { key, ...question };
    timer = setTimeout(open.stop, endMs);
    return cancel;
  };
  return {
    elicited: { answer, unclear: () => notes.add(unclear) },
    signal: open.signal,
    waits: () => waiting !== undefined,
    ask: () => {
      if (waiting !== undefined) report({ asked: waiting, answers }, problem, place, parent);
    },
    notes,
    close: () => {
      clearTimeout(timer);
      open.close();
    },
  };
}

type SoFar = {
  readonly answers: readonly Answered[];
  /** The question that is asked again, because its answer could not be used. */
  readonly asked?: Asked;
  readonly problem?: string;
};

/** The answers of people to this call, with the last one. */
async function answersSoFar(parent: ParentRun | undefined): Promise<SoFar> {
  const { subRun, decisions = [] } = parent?.call?.continues ?? {};
  const kept = Kept.safeParse(subRun?.state["elicitation"]);
  const [decision] = decisions;
  if (!kept.success || decision === undefined) return { answers: [] };
  const { asked, answers } = kept.data;
  const answer = await answerFrom(decision, asked);
  if ("problem" in answer) return { answers, asked, problem: answer.problem };
  return { answers: [...answers, { key: asked.key, answer }] };
}

/** The call waits, with everything that it needs to be made again, in another process too. */
function report(
  elicitation: z.infer<typeof Kept>,
  problem: string | undefined,
  { server, tool }: PlaceOfCall,
  parent: ParentRun | undefined,
): void {
  const { call, of: { runId, callId } = {} } = parent ?? {};
  if (call === undefined || runId === undefined || callId === undefined) return;
  const { message, requestedSchema } = elicitation.asked;
  const question = { message, requestedSchema };
  const asking = `elicitation ${call.continues?.subRun.parts ?? 0}`;
  const words = [
    problem === undefined ? "" : `The last answer could not be used: ${problem}`,
    `The MCP server "${server}" asks: ${oneLine(message)}`,
    fieldsInWords(question),
    "The server gets the answer, and the call is made again with it.",
  ];
  const request: PersonRequest = {
    callId,
    action: {
      id: requestId(runId, callId, asking, question),
      name: tool,
      args: emptyForm(question),
      description: words.filter((each) => each !== "").join(" "),
    },
    allowed: allowedFor(question),
    form: requestedSchema,
  };
  const requests = personRequests([request], () => 0);
  call.report({ kind: "waits", state: { usage: noUsage, elicitation }, requests });
}

function keyOf({ server, at, tool }: PlaceOfCall, question: Question): string {
  return sha256(canonicalJson([server, at, tool, question.message, question.requestedSchema]));
}

/** Characters of a question, and of its form as JSON, that people are shown. */
const maxMessage = 2_000;
const maxForm = 20_000;

function whyNotShown({ message, requestedSchema }: Question): string | undefined {
  const isLong = message.length > maxMessage || JSON.stringify(requestedSchema).length > maxForm;
  return isLong ? "it is too long to be shown" : undefined;
}

/** A server's words in one line, so that they do not look like a line of ours. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function noteOn({ message }: Question, why: string): string {
  return `(The server asked a person: "${oneLine(message).slice(0, 200)}". It got the answer "cancel": ${why}.)`;
}

const unclear =
  '(The server asked a person something while several calls waited for it, without saying for which. It got the answer "cancel". If it was for this call, call it again.)';

/** The form of a question as JSON. */
export function questionFrom(message: string, requestedSchema: object): Question {
  const form: JsonObject = Asked.shape.requestedSchema.parse(requestedSchema);
  return { message, requestedSchema: form };
}
