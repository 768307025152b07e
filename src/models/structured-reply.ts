import { HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { readJson } from "../guards/read-json.js";
import { errorLine } from "../observe/redact.js";
import type { Json } from "../plan/json.js";
import { structuredPrompt, structuredRepairPrompt } from "../prompts/structured.js";
import type { LimitName } from "../state/outcome.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { callModel } from "./call-model.js";
import type { ModelRequest } from "./model-request.js";

/** The form that structured output takes: a zod schema. */
export type ResponseFormat = z.ZodType;

/** Structured output that fits its schema, or what stood against it. Never a silent nothing. */
export type StructuredReply = { readonly usage: Usage } & (
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The limit that was in the way, if that is what failed. */
      readonly limit?: LimitName;
    }
);

/** Checks a form at build time. Throws `invalid_option` for a schema that JSON Schema cannot express. */
export function checkResponseFormat(format: ResponseFormat): void {
  try {
    toJsonSchema(format);
  } catch (error) {
    const message = `responseFormat cannot be told to a model: ${errorLine(error)}. Use a zod schema of JSON values, without transforms and dates.`;
    throw new PlangraphError("invalid_option", message, { cause: error });
  }
}

/** How often a reply that does not fit goes back to the model. */
const maxRepairs = 2;

/**
 * Asks for an object of a schema: constrained by the server where it takes a JSON schema, else by
 * prompt; always validated. A reply that does not fit goes back with what was wrong, twice at most.
 */
export async function structuredReply(
  request: Omit<ModelRequest, "toUser" | "tools" | "options">,
  format: ResponseFormat,
): Promise<StructuredReply> {
  const schema = toJsonSchema(format);
  let postscript: BaseMessage[] = [new HumanMessage(structuredPrompt(schema))];
  let options: ModelRequest["options"] = {
    response_format: {
      type: "json_schema",
      json_schema: { name: "response", schema },
    },
  };
  let usage = noUsage;
  for (let repairs = 0; ;) {
    const reply = await callModel({ ...request, postscript, options, toUser: false });
    usage = addUsage(usage, reply.usage);
    if (reply.kind === "limit") {
      const problem = `the limit of ${reply.limit} was reached`;
      return { ok: false, problem, limit: reply.limit, usage };
    }
    if (reply.kind === "failed") {
      if (options === undefined || !mayRefuseSchemas(reply.status)) {
        return { ok: false, problem: reply.reason, usage };
      }
      options = undefined;
      continue;
    }
    const { text } = reply.message;
    const read = await validated(text, format);
    if (read.ok) return { ...read, usage };
    if (repairs === maxRepairs) {
      const problem = `The answer did not fit the response format: ${read.problem}`;
      return { ok: false, problem, usage };
    }
    repairs += 1;
    postscript = [
      ...postscript,
      new HumanMessage(structuredRepairPrompt(text, read.problem, schema)),
    ];
  }
}

/** With these statuses a server refuses the schema itself: then it is asked by prompt alone. */
function mayRefuseSchemas(status: number | undefined): boolean {
  return status === 400 || status === 422;
}

async function validated(text: string, format: ResponseFormat) {
  const read = readJson(text);
  if (!read.ok) return read;
  const parsed = await format.safeParseAsync(read.value);
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error) } as const;
  // State holds JSON only: a date that the schema makes of a text goes back to text.
  const value: Json = JSON.parse(JSON.stringify(parsed.data));
  return { ok: true, value } as const;
}
