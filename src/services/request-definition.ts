import { z } from "zod";

import { addressForm } from "./url-template.js";

/** A text that says something. */
export const text = z.string().trim().min(1, "expected a text that is not empty");

const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "expected the name of an environment variable")
  .describe("The environment variable that holds it");

const place = z
  .enum(["path", "query", "header", "body", "wholeBody"])
  .describe("`body` is a field of the body; `wholeBody` is all of it");

const placement = z
  .union(
    [
      place,
      z.strictObject({
        in: place,
        name: text.optional().describe("What the service calls it; default: the parameter's name"),
        list: z
          .enum(["repeat", "comma", "space", "pipe"])
          .optional()
          .describe(
            'How a list is written in a query or a form: "repeat" (default) names it once for each item',
          ),
      }),
    ],
    "expected path, query, header, body or wholeBody, or an object with `in`",
  )
  .describe("Where a parameter goes");

/** What HTTP allows for the name of a header. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

const headerName = z
  .string()
  .regex(token, 'expected the name of a header: letters, digits, "-" and "_"');

/** A value that is sent as it stands: no line of its own, and nothing that is thought to be read from the environment. */
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "expected one line of plain characters")
  .regex(
    /^(?!.*\$\{)/,
    "${VARIABLE} is not read here: a secret belongs into `auth`, which names its variable",
  );

const auth = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("bearer"), env: variable }),
      z.strictObject({
        type: z.literal("basic"),
        env: variable.describe("The environment variable that holds user:password"),
      }),
      z.strictObject({ type: z.literal("header"), name: headerName, env: variable }),
      z.strictObject({ type: z.literal("query"), name: text, env: variable }),
    ],
    "expected the type bearer, basic, header or query",
  )
  .describe("How the service knows who calls; the secret itself is never in a definition");

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Whether a header can have this name. */
export function isHeaderName(name: string): boolean {
  return token.test(name);
}

/** How a service is called, as a definition says it. */
export const RequestDefinition = z.strictObject({
  method: z.enum(methods).default("GET"),
  url: z
    .string()
    .regex(
      addressForm,
      "expected an address that begins with http:// or https:// and a host, or with ${VARIABLE}",
    )
    .describe(
      "The address; {parameter} stands for a parameter of the same name, ${VARIABLE} at its beginning for what the environment has",
    ),
  in: z
    .record(z.string(), placement)
    .optional()
    .describe(
      "Where each parameter goes. Default: the path where the address names it, else the query of GET, HEAD and DELETE, and the body of the others",
    ),
  headers: z.record(headerName, headerValue).optional().describe("Fixed headers"),
  query: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("Fixed parameters of the query"),
  body: z.record(z.string(), z.json()).optional().describe("Fixed fields of the body"),
  bodyFormat: z.enum(["json", "form"]).default("json"),
  auth: auth.optional(),
  maxBytes: z
    .int()
    .positive()
    .default(1_000_000)
    .describe("Longer responses are refused, in bytes"),
});
