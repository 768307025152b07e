import type {
  ClientCapabilities,
  ElicitRequestFormParams,
  ElicitRequestFormParamsSchema,
  ElicitResult,
  ElicitResultSchema,
  ServerNotification,
  ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";

import { defined, type JsonObject } from "../json/json.js";
import {
  type ActionRequest,
  type AllowedDecision,
  type Decision,
  isAnsweredInWords,
  PersonRequests,
} from "../state/person-requests.js";

/** What the SDK knows of a call. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The client of a call, and whether it can ask its user. */
export type AskedClient = {
  readonly extra: CallExtra;
  readonly elicits: boolean;
  readonly schema: typeof ElicitResultSchema;
  /** Reads a form that may be passed on. */
  readonly form: (typeof ElicitRequestFormParamsSchema)["shape"]["requestedSchema"];
};

/** Whether a client shows forms to its user. One that names no kind of elicitation knows forms. */
export function elicitationOf({ elicitation }: ClientCapabilities = {}): boolean {
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

/** People take longer than a server; the call's signal ends the wait. */
const longest = 2 ** 31 - 1;

/** The answers of a client's user, or why there are none. */
export type Answered = { readonly resume: unknown } | { readonly unasked: string };

/** Asks the client's user what an interrupt of a run asks. */
export async function askClient(value: unknown, client: AskedClient): Promise<Answered> {
  const read = PersonRequests.safeParse(value);
  if (!read.success) return { unasked: "it asks something that this server cannot pass on" };
  const { action_requests: actions, review_configs: configs, error } = read.data;
  const decisions: Decision[] = [];
  for (const [at, action] of actions.entries()) {
    if (!client.elicits) return { unasked: "this client cannot ask its user (elicitation)" };
    const { allowed_decisions: allowed = [], args_schema: form } = configs[at] ?? {};
    const asked = { action, allowed, ...defined({ form }) };
    const decision = await decisionOn(asked, error, client);
    if (decision === undefined) return { unasked: "the person did not answer" };
    decisions.push(action.id === "" ? decision : { ...decision, id: action.id });
  }
  return { resume: { decisions } };
}

type Asked = {
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
  /** What another server asks: its form is passed on. */
  readonly form?: JsonObject;
};

async function decisionOn(
  { action, allowed, form }: Asked,
  error: string | undefined,
  client: AskedClient,
): Promise<Decision | undefined> {
  const isQuestion = isAnsweredInWords(allowed);
  const passedOn = isQuestion && form !== undefined ? client.form.safeParse(form).data : undefined;
  if (passedOn !== undefined) {
    const message = [error, action.description].filter(Boolean).join("\n");
    return formIn(await elicit({ message, requestedSchema: passedOn }, client), action.name);
  }
  const args = isQuestion ? "" : `\n${action.name}: ${JSON.stringify(action.args)}`;
  const message = [error, `${action.description}${args}`].filter(Boolean).join("\n");
  const requestedSchema = isQuestion ? question : approval;
  const result = await elicit({ message, requestedSchema }, client);
  return isQuestion ? wordsIn(result) : approvalIn(result);
}

function wordsIn({ action, content }: ElicitResult): Decision | undefined {
  const message = textAt(content, "answer");
  return action === "accept" && message !== undefined ? { type: "respond", message } : undefined;
}

function formIn({ action, content = {} }: ElicitResult, name: string): Decision | undefined {
  if (action === "cancel") return undefined;
  if (action === "decline") return { type: "reject" };
  return { type: "edit", edited_action: { name, args: content } };
}

/** Only a clear yes is one. */
function approvalIn({ action, content }: ElicitResult): Decision | undefined {
  if (action === "cancel") return undefined;
  if (action === "accept" && textAt(content, "decision") === "approve") return { type: "approve" };
  return { type: "reject", ...defined({ message: textAt(content, "reason") }) };
}

function textAt(content: ElicitResult["content"], field: string): string | undefined {
  const value = content?.[field];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

const question: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: { answer: { type: "string", title: "Answer" } },
  required: ["answer"],
};

const approval: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    decision: { type: "string", title: "Decision", enum: ["approve", "reject"] },
    reason: { type: "string", title: "Reason, if you reject it" },
  },
  required: ["decision"],
};

function elicit(params: ElicitRequestFormParams, client: AskedClient): Promise<ElicitResult> {
  const { extra, schema } = client;
  const { signal } = extra;
  return extra.sendRequest({ method: "elicitation/create", params }, schema, {
    timeout: longest,
    signal,
  });
}
