import { z } from "zod";

/**
 * What the JSON schemas of OpenTelemetry's conventions ask of messages, read at commit 2b902ce of
 * https://github.com/open-telemetry/semantic-conventions-genai (model/gen-ai/*.json). Parts of other types are allowed
 * there; none is written here, so none passes.
 */
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), content: z.string() }),
  z.strictObject({ type: z.literal("reasoning"), content: z.string() }),
  z.strictObject({
    type: z.literal("tool_call"),
    id: z.string().nullish(),
    name: z.string(),
    arguments: z.json().optional(),
  }),
  z.strictObject({
    type: z.literal("tool_call_response"),
    id: z.string().nullish(),
    response: z.json(),
  }),
]);
const message = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  parts: z.array(part),
});

/** The attributes that hold content, as JSON text, with what it must be. */
export const contentSchemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["gen_ai.input.messages", z.array(message)],
  ["gen_ai.output.messages", z.array(message)],
  [
    "gen_ai.system_instructions",
    z.array(z.strictObject({ type: z.literal("text"), content: z.string() })),
  ],
  [
    "gen_ai.tool.definitions",
    z.array(
      z.strictObject({
        type: z.literal("function"),
        name: z.string(),
        description: z.string().nullish(),
        parameters: z.looseObject({}).nullish(),
      }),
    ),
  ],
  ["gen_ai.tool.call.arguments", z.looseObject({})],
]);
