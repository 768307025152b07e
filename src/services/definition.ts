import { z } from "zod";

import { isRecord } from "../plan/json.js";
import { wholeReference } from "../plan/reference.js";
import { parametersInUrl } from "./url-template.js";

const name = z
  .string()
  .regex(/^[\p{L}\p{N}_.-]{1,64}$/u, 'expected 1 to 64 letters, digits, "_", "-" or "."');

const text = z.string().trim().min(1, "expected a text that is not empty");

const json = z.json();

/** A place in a response: `data.items[0].name`. */
const path = z
  .string()
  .refine(isPath, 'expected a path such as "data.items[0].name"')
  .describe('A place in the response, such as "data.items[0].name"');

const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "expected the name of an environment variable")
  .describe("The environment variable that holds it");

const place = z.enum(["path", "query", "header", "body"]);

const placement = z
  .union([
    place,
    z.strictObject({
      in: place,
      name: text.optional().describe("What the service calls it; default: the parameter's name"),
      list: z
        .enum(["repeat", "comma", "space", "pipe"])
        .optional()
        .describe(
          'How a list is written in a query: "repeat" (default) names it once for each item',
        ),
    }),
  ])
  .describe("Where a parameter goes");

const auth = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("bearer"), env: variable }),
    z.strictObject({
      type: z.literal("basic"),
      env: variable.describe("The environment variable that holds user:password"),
    }),
    z.strictObject({ type: z.literal("header"), name: text, env: variable }),
    z.strictObject({ type: z.literal("query"), name: text, env: variable }),
  ])
  .describe("How the service knows who calls; the secret itself is never in a definition");

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

const request = z.strictObject({
  method: z.enum(methods).default("GET"),
  url: z
    .string()
    .regex(
      /^https?:\/\/[^\s{}/?#]+/i,
      "expected an address that begins with http:// or https:// and a host",
    )
    .describe("The address; {parameter} stands for a parameter of the same name"),
  in: z
    .record(z.string(), placement)
    .optional()
    .describe(
      "Where each parameter goes. Default: the path where the address names it, else the query of GET, HEAD and DELETE, and the body of the others",
    ),
  headers: z.record(z.string(), z.string()).optional().describe("Fixed headers"),
  query: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("Fixed parameters of the query"),
  body: z.record(z.string(), json).optional().describe("Fixed fields of the body"),
  bodyFormat: z.enum(["json", "form"]).default("json"),
  auth: auth.optional(),
  maxBytes: z
    .int()
    .positive()
    .default(1_000_000)
    .describe("Longer responses are refused, in bytes"),
});

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
  .union([
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
  ])
  .describe(
    'Who gets the result: "model" (default), "return" (the user, as it is), or a component that renders it',
  );

/** A service that a tool is made of: what the model sees, how it is called, and who gets what it gives. */
export const ServiceDefinition = z
  .strictObject({
    $schema: z.string().optional(),
    name: name.describe("The tool's name"),
    description: text.describe("What it does, in a sentence or two"),
    extendedDescription: text.optional().describe("What else a model should know to use it well"),
    examples: z.array(text).optional().describe("Instructions that it is for, as users write them"),
    parameters: z
      .looseObject({ type: z.literal("object") })
      .default({ type: "object", properties: {} })
      .describe("A JSON Schema of type object, sent to the model as it is"),
    request: request.describe("How the service is called"),
    success: success.optional(),
    data: path
      .optional()
      .describe("The part of the response that is the result; default: all of it"),
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
  })
  .superRefine(checkTogether);

/** A service definition as it is written. */
export type ServiceInput = z.input<typeof ServiceDefinition>;

/** A service definition that has been read: with its defaults. */
export type Service = z.output<typeof ServiceDefinition>;

/** What a parameter is that the definition speaks of must be among the parameters. */
function checkTogether(
  { parameters, request: { url, in: places = {} } }: Pick<Service, "parameters" | "request">,
  context: z.core.$RefinementCtx,
): void {
  const properties = parameters["properties"];
  const known = isRecord(properties) ? Object.keys(properties) : [];
  const issue = (at: string[], message: string) =>
    context.addIssue({ code: "custom", path: ["request", ...at], message });
  const names = known.length === 0 ? "none" : known.join(", ");
  for (const used of parametersInUrl(url)) {
    if (!known.includes(used)) {
      issue(["url"], `{${used}} is no parameter; the parameters are: ${names}`);
    }
  }
  for (const used of Object.keys(places)) {
    if (!known.includes(used))
      issue(["in", used], `there is no such parameter; there are: ${names}`);
  }
}

function isPath(value: string): boolean {
  return (
    wholeReference(`{{data.${value}}}`) !== undefined ||
    wholeReference(`{{data${value}}}`) !== undefined
  );
}
