import type { RunnableConfig } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { dateLine } from "../prompts/date-line.js";
import { checkNames } from "../run/check-names.js";
import { isTimeZone } from "../run/clock.js";
import { withPolicy } from "./policy.js";
import { timeOf, type TimeOptions } from "./run-time.js";

const schema = z.object({
  time_zone: z
    .string()
    .optional()
    .describe('An IANA time zone such as "Europe/Berlin"; leave it out for the local one.'),
});

/** What is wrong with a zone, in one sentence; nothing when it is known. */
function zoneProblem(timeZone: string | undefined): string | undefined {
  if (timeZone === undefined || isTimeZone(timeZone)) return undefined;
  return `"${timeZone}" is not a time zone: give an IANA name such as "Europe/Berlin" or "UTC".`;
}

function timeLine(at: number, timeZone: string | undefined): string {
  const time = new Intl.DateTimeFormat("en-GB-u-nu-latn", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  return `The time is ${time.format(at)}.`;
}

/** A tool that tells date, weekday, time and zone in one line, by the run's clock and zone unless it is given its own. */
export function createCurrentDateTool(options: TimeOptions = {}) {
  checkNames("createCurrentDateTool", options, { clock: true, timeZone: true });
  const optionProblem = zoneProblem(options.timeZone);
  if (optionProblem !== undefined) {
    throw new PlangraphError("invalid_option", `createCurrentDateTool: ${optionProblem}`);
  }
  const dateTool = tool(
    ({ time_zone }: z.infer<typeof schema>, config: RunnableConfig) => {
      const { now, timeZone } = timeOf(config, options);
      const zone = time_zone?.trim() || timeZone; // models fill in "" for what they leave out
      const problem = zoneProblem(zone);
      if (problem !== undefined) throw new Error(problem);
      const at = now();
      return `${dateLine(at, zone)} ${timeLine(at, zone)}`;
    },
    {
      name: "current_date",
      description: "Tells today's date, the weekday, the time and the time zone.",
      schema,
    },
  );
  return withPolicy(dateTool, { effect: "read", volatile: true });
}
