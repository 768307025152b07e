import { type Delivery, jsonDelivery, plainDelivery } from "./delivery.js";
import type { StatusOptions } from "./fault.js";
import { openAIError } from "./openai-error.js";

/** An error status as it goes over the wire. */
export function errorDelivery(status: number, options: StatusOptions = {}): Delivery {
  const { retryAfter, headers = {}, body, ...details } = options;
  const all = {
    ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
    ...headers,
  };
  if (typeof body === "string") return plainDelivery(status, "text/plain", [{ text: body }], all);
  return jsonDelivery(status, body ?? { error: { ...openAIError(status), ...details } }, all);
}
