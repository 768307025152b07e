import { isRecord } from "../../json/json.js";
import type { ProviderRequest } from "../provider/tool-protocol.js";
import type { ModelCall } from "./stage.js";

/** The longest reply in characters of text, thoughts and arguments. A longer one is stopped and counts as cut. */
export const maxReplyChars = 500_000;

/** The longest text of a reply that is to be a call, in characters. Held to a call that it does not make, a small model never ends. */
const maxHeldChars = 2_000;

/**
 * The longest calls in a reply that is wanted to be one, in characters. Only calls that change nothing are wanted, and they
 * are short; a small model may count on in their arguments for ever.
 */
const maxWantedChars = 4_000;

/** The longest text without a call, and the longest calls. */
export type Bounds = { readonly text?: number; readonly calls?: number };

/** How long the reply to a request may be. `isHeld`: the server is to hold the model to a native call. */
export function boundsOf(
  { call, tools = [] }: ModelCall,
  sent: ProviderRequest,
  isHeld: boolean,
): Bounds {
  const calls = call === "wanted" ? maxWantedChars : maxReplyChars;
  if (isHeld) return { text: maxHeldChars, calls };
  return sent.protocol.name === "json" && tools.length > 0 && hasSchema(sent)
    ? { text: calls }
    : {};
}

/** Whether the server is to hold the model to a JSON schema. */
export function hasSchema({ options }: ProviderRequest): boolean {
  const format = options["response_format"];
  return isRecord(format) && format["type"] === "json_schema";
}
