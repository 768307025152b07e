import { z } from "zod";

import { isLocale } from "../dates/calendar.js";
import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { modelRoles } from "../models/model.js";
import { protocols } from "../models/provider/capabilities.js";
import { closeName } from "../plan/nearest.js";
import { isTimeZone } from "../run/clock.js";
import { issueLines } from "../run/errors.js";
import { byLimit, limitNames, type LimitRow } from "../state/limits.js";

const limit = ({ unit, unset, isWhole }: LimitRow) =>
  (isWhole ? z.int() : z.number())
    .nonnegative()
    .nullable()
    .optional()
    .describe(
      `${unit}. Default: what the graph says, else ${unset ?? "no limit"}; null for no limit`,
    );
const spec = (use: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(`Model spec for ${use}, such as "openai:gpt-5"; a list gives fallbacks`);

/**
 * What a caller, or LangGraph Studio, may set for one run. Every field is optional; one that is not
 * set falls back to the graph's options. No defaults here: LangGraph would not apply them.
 */
export const RunContext = z.object({
  models: z
    .strictObject({
      planner: spec("plans"),
      executor: spec("steps and tool calls"),
      replanner: spec("changing plans"),
      joiner: spec("deciding whether a plan is done"),
      solver: spec("the answer from evidence"),
      router: spec("choosing a route"),
      repairer: spec("repairing arguments"),
    })
    .optional()
    .describe("Models by role"),
  model: spec("every role that has none of its own"),
  limits: z.strictObject(byLimit(limit)).optional().describe("What the run may use"),
  protocol: z
    .enum(protocols)
    .optional()
    .describe(
      'How the model calls tools: "native", as "json" in text, or "auto": native as long as the model takes it',
    ),
  earlyStopping: z
    .enum(["generate", "force"])
    .optional()
    .describe(
      'At a limit: "generate" asks the model once more for an answer, "force" gives a fixed sentence',
    ),
  timeZone: z
    .string()
    .refine(isTimeZone, 'expected an IANA zone such as "Europe/Berlin"')
    .optional()
    .describe('IANA zone of "today", such as Europe/Berlin'),
  locale: z
    .string()
    .refine(isLocale, 'expected a BCP 47 tag such as "en-GB"')
    .optional()
    .describe("BCP 47 tag, such as en-GB: how dates in figures are written, and in which language"),
  decidedBy: z
    .string()
    .optional()
    .describe("Who answers what the run asks; kept with each decision that names nobody itself"),
  contextTokens: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("Tokens the model can read; older results are cut first"),
});

/** The fields of a run's context. */
export type RunContextFields = z.infer<typeof RunContext>;

/**
 * The same schema, typed loosely for `StateGraph`: LangGraph's types make every field of a context
 * schema required, so that neither a partial context nor a node's own config would be accepted.
 */
export function contextSchema(): z.ZodObject {
  return RunContext;
}

/** Words that a host's own fields may well be, near to ours as they are. */
const ownWords: ReadonlySet<string> = new Set(["mode", "local", "module"]);

/** Fields that are not ours are for the caller's tools; one that is a slip of ours would be ignored. */
function checkSlips(context: unknown): void {
  if (!isRecord(context)) return;
  const ours = Object.keys(RunContext.shape);
  for (const name of Object.keys(context)) {
    if (ours.includes(name) || ownWords.has(name)) continue;
    const meant = closeName(name, ours);
    if (meant === undefined) continue;
    const message = `context.${name}: there is no such field; did you mean ${meant}? A field of your tools needs another name.`;
    throw new PlangraphError("invalid_context", message);
  }
}

/** Reads a run's context. Throws `invalid_context` with the path of each field that does not fit. */
export function parseRunContext(context: unknown): RunContextFields {
  checkSlips(context);
  const parsed = RunContext.safeParse(context ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) =>
    issueLines([issue], "context", namesIn(issue.path[0])),
  );
  throw new PlangraphError("invalid_context", problems.join("; "), { cause: parsed.error });
}

/** The names inside a field of the context. */
function namesIn(field: PropertyKey | undefined): readonly string[] {
  if (field === "limits") return limitNames;
  return field === "models" ? modelRoles : [];
}
