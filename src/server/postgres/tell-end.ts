import type { Run } from "@langchain/langgraph-api/storage";

import { isRecord } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { callWebhook, type WebhookCall } from "../webhooks.js";
import { apiJson } from "./json-column.js";

/** Whom a run tells of its end, and what of itself: nothing that it was given. */
export function webhookOf({ kwargs, ...body }: Run): WebhookCall | undefined {
  const { webhook: url } = kwargs;
  return typeof url === "string" ? { url, body } : undefined;
}

type Ended = {
  readonly status: string | undefined;
  readonly values?: unknown;
  readonly exception?: Error | undefined;
};

/** Tells whoever wants to know how a run has ended, and does not wait for them. Call it when the end is recorded. */
export function tellEnd(
  webhook: WebhookCall | undefined,
  { status, values, exception }: Ended,
): void {
  if (webhook === undefined) return;
  const error = exception === undefined ? {} : { error: errorLine(exception) };
  const ended = { status, run_ended_at: new Date().toISOString(), ...error, values };
  const body: unknown = JSON.parse(apiJson({ ...webhook.body, ...ended }));
  if (isRecord(body)) void callWebhook({ url: webhook.url, body });
}
