import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isTimeZone } from "./time-zone.js";

const amount = (description: string) =>
  z.number().nonnegative().nullable().optional().describe(`${description}; null for none`);
const count = (description: string) =>
  z.int().nonnegative().nullable().optional().describe(`${description}; null for none`);
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
      rewriter: spec("rewriting questions"),
      repairer: spec("repairing arguments"),
    })
    .optional()
    .describe("Models by role"),
  model: spec("every role that has none of its own"),
  limits: z
    .strictObject({
      modelCalls: count("Requests to models"),
      toolCalls: count("Tool calls"),
      replans: count("Changes of the plan"),
      planSteps: count("Steps in one plan"),
      seconds: amount("Working time in seconds"),
      tokens: count("Tokens in and out"),
      costUsd: amount("US dollars"),
      repeatedCalls: count("Identical tool calls without progress"),
    })
    .optional()
    .describe("What the run may use"),
  protocol: z
    .enum(["auto", "native", "json"])
    .optional()
    .describe(
      'How the model calls tools: "native", as "json" in text, or "auto": native as long as the model takes it',
    ),
  earlyStopping: z
    .enum(["generate", "force"])
    .optional()
    .describe("At a limit: one last model call, or a fixed sentence"),
  timeZone: z
    .string()
    .refine(isTimeZone, 'expected an IANA zone such as "Europe/Berlin"')
    .optional()
    .describe('IANA zone of "today", such as Europe/Berlin'),
  contextTokens: z.number().int().positive().optional().describe("Tokens the model can read"),
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

/** Reads a run's context. Throws `invalid_context` with the path of each field that does not fit. */
export function parseRunContext(context: unknown): RunContextFields {
  const parsed = RunContext.safeParse(context ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `context.${path.map(String).join(".")}: ${message}`,
  );
  throw new PlangraphError("invalid_context", problems.join("; "), {
    cause: parsed.error,
  });
}
