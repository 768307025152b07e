import { setTimeout as sleep } from "node:timers/promises";

import { errorLine } from "../observe/redact.js";
import { addTo } from "./metrics.js";
import { HttpError } from "./postgres/http-error.js";

/** What somebody is told of a run that has ended. */
export type WebhookCall = {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Throws 422 for a webhook to a host that the server does not know: a client could reach any place that it can. */
export function checkWebhook(webhook: unknown, hosts: readonly string[]): void {
  if (webhook === undefined || webhook === null || isKnown(webhook, hosts)) return;
  const known = hosts.length === 0 ? "none" : hosts.join(", ");
  throw new HttpError(
    422,
    `webhook: expected an address of a host that this server calls (--webhook-host): ${known}.`,
  );
}

function isKnown(webhook: unknown, hosts: readonly string[]): boolean {
  if (typeof webhook !== "string" || !URL.canParse(webhook)) return false;
  const { protocol, username, hostname } = new URL(webhook);
  return /^https?:$/.test(protocol) && username === "" && hosts.includes(hostname);
}

const attempts = 3;
const timeoutMs = 10_000;
const pauseMs = 1_000;

/** Calls a webhook, three times at most. It never throws: a run has ended whatever becomes of it. */
export async function callWebhook({ url, body }: WebhookCall): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      const { ok, status } = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body, webhook_sent_at: new Date().toISOString() }),
        // A host that may be called must not send it on to one that may not.
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (ok) return;
      throw new Error(`status ${status}`);
    } catch (error) {
      if (attempt < attempts) await sleep(pauseMs * attempt ** 2);
      else {
        addTo("plangraph_webhooks_failed_total");
        process.emitWarning(`A webhook could not be called: ${errorLine(error)}`);
      }
    }
  }
}
