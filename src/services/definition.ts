import { z } from "zod";

import { wholeReference } from "../plan/step.js";
import { RequestDefinition, text } from "./request-definition.js";

const name = z
  .string()
  .regex(/^[\p{L}\p{N}_.-]{1,64}$/u, 'expected 1 to 64 letters, digits, "_", "-" or "."');

const json = z.json();

/** A place in a response: `data.items[0].name`. */
const path = z
  .string()
  .refine(isPath, 'expected a path such as "data.items[0].name"')
  .describe('A place in the response, such as "data.items[0].name"');

const operators = ["==", "!=", ">", ">=", "<", "<=", "in", "exists"] as const;

const success = z
  .strictObject({
    path,
    operator: z.enum(operators).default("=="),
    target: json.optional().describe("What the value is compared with; a list for `in`"),
  })
  .describe("What a response of status 2xx must hold, or else the service has refused");

const error = z
  .strictObject({
    path: path.optional().describe("Where a refusing response has its message"),
    text: text.optional().describe("What the model is told where the response has no message"),
  })
  .describe("What the model is told when the service refuses");

const result = z
  .union(
    [
      z.enum(["model", "return"]),
      z.strictObject({
        to: z.literal("model"),
        prompt: text.optional().describe("What the model is to do with the result"),
      }),
      z.strictObject({ to: z.literal("return") }),
      z.strictObject({
        to: z.literal("render"),
        component: text.describe("The component that shows it"),
        props: z
          .record(z.string(), json)
          .default({})
          .describe(
            "Its options; {{data.path}} and {{args.name}} stand for what came and what was asked",
          ),
        say: text
          .optional()
          .describe("What the model is told instead of the data; references as in props"),
      }),
    ],
    'expected "model", "return", or an object whose `to` is model, return or render',
  )
  .describe(
    'Who gets the result: "model" (default), "return" (the user, as it is), or a component that renders it',
  );

/** The fields of a service, one by one: what the model sees, how it is called, and who gets what it gives. */
export const ServiceFields = z.strictObject({
  $schema: z.string().optional(),
  name: name.describe("The tool's name"),
  description: text.describe("What it does, in a sentence or two"),
  extendedDescription: text.optional().describe("What else a model should know to use it well"),
  examples: z.array(text).optional().describe("Instructions that it is for, as users write them"),
  parameters: z
    .looseObject({ type: z.literal("object") })
    .default({ type: "object", properties: {} })
    .describe("A JSON Schema of type object, sent to the model as it is"),
  request: RequestDefinition.describe("How the service is called"),
  success: success.optional(),
  data: path.optional().describe("The part of the response that is the result; default: all of it"),
  error: error.optional(),
  effect: z
    .enum(["read", "idempotent", "write"])
    .optional()
    .describe(
      "What it does to the world. Default: read for GET and HEAD, idempotent for PUT and DELETE, else write",
    ),
  timeoutMs: z.number().positive().optional().describe("For one attempt; default 30 000"),
  retry: z
    .strictObject({ attempts: z.int().min(1), baseMs: z.number().min(0).default(500) })
    .optional()
    .describe(
      "Attempts of a service that reads or is idempotent; default 3, the second after 500 ms",
    ),
  needsApproval: z.boolean().optional().describe("Whether a person must approve each call"),
  result: result.optional(),
});

/** A service definition as it is written. */
export type ServiceInput = z.input<typeof ServiceFields>;

/** A service definition that has been read: with its defaults. */
export type Service = z.output<typeof ServiceFields>;

function isPath(value: string): boolean {
  return (
    wholeReference(`{{data.${value}}}`) !== undefined ||
    wholeReference(`{{data${value}}}`) !== undefined
  );
}
