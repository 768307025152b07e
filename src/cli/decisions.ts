import { z } from "zod";

import { defined, isRecord } from "../json/json.js";
import { invalidOption } from "../run/check-names.js";
import type { RecordedDecision } from "../server/index.js";
import { placeOrDefault, Places } from "./database-place.js";
import type { CliIo } from "./io.js";
import { callText } from "./view/event-lines.js";

const Given = Places.extend({
  since: z.string().optional(),
  thread: z.string().optional(),
  json: z.boolean().default(false),
});

/** Prints who decided what, and when. Throws for unusable flags and databases. */
export async function decisionsCommand(
  options: unknown,
  { stdout, environment }: CliIo,
): Promise<void> {
  const given = Given.parse(options);
  const place = placeOrDefault(given, environment);
  if (place === undefined) {
    throw invalidOption("decisions needs --database URL (or PLANGRAPH_DATABASE), or --data DIR.");
  }
  const filter = defined({ thread: given.thread, since: sinceIn(given.since) });
  const { readDecisions } = await import("../server/index.js");
  const line = given.json ? (one: RecordedDecision) => JSON.stringify(one) : decisionLine;
  await readDecisions(place, (one) => void stdout.write(`${line(one)}\n`), filter);
}

function sinceIn(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(day.getTime())) return day;
  throw invalidOption(`--since ${text}: expected a day or a moment, such as 2026-11-01.`);
}

function decisionLine(decision: RecordedDecision): string {
  const { at, type, tool, args, identity, by, message, threadId } = decision;
  const called = tool === null ? "a request that was no longer asked" : callText(tool, args ?? {});
  const shown = tool !== null && !isRecord(args) ? `${tool}(…)` : called;
  const who = [identity, by === null ? null : `says ${JSON.stringify(by)}`].filter(
    (each) => each !== null,
  );
  const said = message === null ? "" : `: ${JSON.stringify(message)}`;
  const from = who.length === 0 ? "" : ` by ${who.join(", ")}`;
  return `${at} ${type} ${shown}${from}${said} (thread ${threadId})`;
}
