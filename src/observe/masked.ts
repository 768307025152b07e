import { z } from "zod";

import type { AgentEvent } from "./events.js";

/** Words in place of a secret, and of a piece of content that the file has lost. */
const masks = /\[redacted\]|\[missing\]/;

/** Whether something of an event is not what it was in the run. */
export function isMasked(event: AgentEvent): boolean {
  if (event.redacted === true) return true;
  return "content" in event && masks.test(JSON.stringify(event.content));
}

const Args = z.object({ content: z.object({ args: z.record(z.string(), z.json()) }) });

/** The arguments of a call that starts, if they were kept. */
export function argumentsIn(
  start: AgentEvent,
): z.output<typeof Args>["content"]["args"] | undefined {
  return Args.safeParse(start).data?.content.args;
}
