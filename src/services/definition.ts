import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { operators } from "../json/condition.js";
import type { Environment } from "../models/model.js";
import { redact } from "../observe/redact.js";
import { wholeReference } from "../plan/step.js";
import { ApprovalForm } from "../tools/approval-form.js";
import { policyFields } from "./policy-fields.js";

/** A variable at the start of an address: `${ROOMS_URL}/rooms`. */
const variable = /^\$\{(\w+)\}/;

/** The start of an address: a scheme and a whole host, or a variable for both. */
export const addressForm = /^(?:https?:\/\/[^\s{}/?#]+(?![^/?#])|\$\{[A-Za-z_]\w*\}(?![^/?]))/i;

/** Fills in the address's environment variable. Throws `missing_key`, or `invalid_service` if it is no web address. */
export function addressIn(url: string, environment: Environment, service: string): string {
  const [whole, name] = variable.exec(url) ?? [];
  if (whole === undefined || name === undefined) return url;
  const base = environment[name]?.trim() ?? "";
  const subject = `The service "${service}" has its address in the environment variable ${name}`;
  if (base === "") throw new PlangraphError("missing_key", `${subject}; it is not set.`);
  if (/^https?:\/\/[^\s{}/?#][^\s{}?#]*$/i.test(base) && isAddress(base)) {
    return `${base.replace(/\/$/, "")}${url.slice(whole.length)}`;
  }
  throw new PlangraphError(
    "invalid_service",
    `${subject}: expected one that begins with http:// or https:// and a host, without a user name, got "${redact(base)}".`,
  );
}

/** The parameters in an address, in order: `/rooms/{id}` has `id`. */
export function parametersInUrl(url: string): string[] {
  return [...url.replace(variable, "").matchAll(/\{([^{}]*)\}/g)].map(([, found = ""]) => found);
}

/** Whether an address can be called once its parameters are filled in; one with a user name cannot. */
export function isAddress(url: string): boolean {
  const filled = url.replace(variable, "http://x").replaceAll(/\{[^{}]*\}/g, "x");
  if (!URL.canParse(filled)) return false;
  const { username, password } = new URL(filled);
  return username === "" && password === "";
}

/** A text that is not blank. */
const text = z.string().trim().min(1, "expected a text that is not empty");

const variableName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "expected the name of an environment variable")
  .describe("The environment variable that holds it");

const place = z
  .enum(["path", "query", "header", "cookie", "body", "wholeBody"])
  .describe("`body` is a field of the body; `wholeBody` is all of it");

/** How a list or an object is written outside of JSON. */
const listForms = [
  "repeat",
  "comma",
  "space",
  "pipe",
  "deep",
  "fields",
  "json",
  "label",
  "matrix",
] as const;

export type ListForm = (typeof listForms)[number];

const placement = z
  .union(
    [
      place,
      z.strictObject({
        in: place,
        name: text.optional().describe("What the service calls it; default: the parameter's name"),
        list: z
          .enum(listForms)
          .optional()
          .describe(
            'How a list or an object is written outside of JSON: "repeat" (default) names a list once for each item, with objects as JSON; "comma", "space" and "pipe" join; "deep" writes name[field]=… and name[0][field]=…; "fields" names the fields of an object without the name of the parameter; "json" writes JSON text; in a path "label" writes .a.b or .x=1.y=2, "matrix" ;name=a;name=b or ;x=1;y=2. Of a wholeBody: how each field is written',
          ),
        file: z
          .string()
          .regex(
            /^[\w.+*-]+\/[\w.+*-]+(?:, ?[\w.+*-]+\/[\w.+*-]+)*$/,
            'expected a content type, or several: "image/png, image/jpeg", "*/*"',
          )
          .optional()
          .describe(
            'The parameter is a file of one of these content types: a part of a multipart body, or with bodyFormat "text" the wholeBody. Its value is plain text, a file of an earlier result of the run by its name, or a data: URL',
          ),
      }),
    ],
    "expected path, query, header, cookie, body or wholeBody, or an object with `in`",
  )
  .describe("Where a parameter goes");

/** The characters that HTTP allows in a header name. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

const headerName = z
  .string()
  .regex(token, 'expected the name of a header: letters, digits, "-" and "_"');

const cookieName = z
  .string()
  .regex(token, 'expected the name of a cookie: letters, digits, "-" and "_"');

/** A value that is sent unchanged: one line, without `${VARIABLE}`, which is not read here. */
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "expected one line of plain characters")
  .regex(
    /^(?!.*\$\{)/,
    "${VARIABLE} is not read here: put a secret into `auth`, which names its variable",
  );

const shared = {
  env: variableName,
  optional: z
    .boolean()
    .optional()
    .describe(
      "Whether the service can be called without it; then it is sent if its variable is set",
    ),
};

const oneAuth = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("bearer"), ...shared }),
    z.strictObject({
      type: z.literal("basic"),
      ...shared,
      env: variableName.describe("The environment variable that holds user:password"),
    }),
    z.strictObject({ type: z.literal("header"), name: headerName, ...shared }),
    z.strictObject({ type: z.literal("query"), name: text, ...shared }),
    z.strictObject({ type: z.literal("cookie"), name: cookieName, ...shared }),
  ],
  "expected the type bearer, basic, header, query or cookie",
);

const auth = z
  .union(
    [oneAuth, z.array(oneAuth).min(1, "expected at least one authorization")],
    "expected an object with a type, or a list of such objects",
  )
  .describe(
    "How the service knows who calls; a list is sent together. The secret itself is never in a definition",
  );

/** One authorization of a definition. */
export type Auth = z.output<typeof oneAuth>;

/** The methods that a definition can have. */
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Whether a header or a cookie can have this name. */
export function isToken(name: string): boolean {
  return token.test(name);
}

/** How a service is called, in the form of a definition. */
const RequestDefinition = z.strictObject({
  method: z.enum(methods).default("GET"),
  url: z
    .string()
    .regex(
      addressForm,
      "expected an address that begins with http:// or https:// and a host, or with ${VARIABLE}",
    )
    .describe(
      "The address; {parameter} stands for a parameter of the same name, ${VARIABLE} at its beginning for the value of an environment variable",
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
  bodyFormat: z
    .enum(["json", "form", "multipart", "text"])
    .default("json")
    .describe(
      '"text" sends the parameter that is the wholeBody unchanged, such as text or XML; its content type is a fixed header',
    ),
  auth: auth.optional(),
  maxBytes: z
    .int()
    .positive()
    .default(1_000_000)
    .describe("Longer responses are refused, in bytes"),
});

const name = z
  .string()
  .regex(/^[\p{L}\p{N}_.-]{1,64}$/u, 'expected 1 to 64 letters, digits, "_", "-" or "."');

const json = z.json();

/** A place in a response: `data.items[0].name`. */
const path = z
  .string()
  .refine(isPath, 'expected a path such as "data.items[0].name"')
  .describe('A place in the response, such as "data.items[0].name"');

const pages = z
  .strictObject({
    next: path.describe(
      'Where a response has the address of the next page, or "link" for the header Link with rel="next"; with `parameter`, where it has the cursor',
    ),
    parameter: text
      .optional()
      .describe("The query parameter that takes the cursor at `next`, such as page_token"),
    items: path
      .optional()
      .describe("The list in each response; default: `data`, or the whole response"),
    max: z.int().min(1).max(100).default(5).describe("The most pages that one call reads"),
  })
  .describe("How the next page is found: the result is then one list of all pages");

const success = z
  .strictObject({
    path,
    operator: z.enum(operators).default("=="),
    target: json.optional().describe("The value to compare with; a list for `in`"),
  })
  .describe("What a response of status 2xx must hold, or else the service has refused");

const error = z
  .strictObject({
    path: path.optional().describe("Where a refusing response has its message"),
    text: text.optional().describe("The text for the model if the response has no message"),
  })
  .describe("The text for the model when the service refuses");

const result = z
  .union(
    [
      z.enum(["model", "return"]),
      z.strictObject({
        to: z.literal("model"),
        prompt: text.optional().describe("Instructions for the model about the result"),
      }),
      z.strictObject({ to: z.literal("return") }),
      z.strictObject({
        to: z.literal("render"),
        component: text.describe("The component that shows it"),
        props: z
          .record(z.string(), json)
          .default({})
          .describe(
            "Its options; {{data.path}} and {{args.name}} stand for the data and the call's arguments",
          ),
        say: text
          .optional()
          .describe("The text for the model instead of the data; references as in props"),
      }),
    ],
    'expected "model", "return", or an object whose `to` is model, return or render',
  )
  .describe(
    'Who gets the result: "model" (default), "return" (the user, unchanged), or a component that renders it',
  );

/** The fields of a service: the model's view, the request, and the use of the result. */
export const ServiceFields = z.strictObject({
  $schema: z.string().optional(),
  name: name.describe("The tool's name"),
  description: text.describe("What it does, in a sentence or two"),
  extendedDescription: text.optional().describe("What else a model should know to use it well"),
  examples: z.array(text).optional().describe("Instructions that it is for, as users write them"),
  parameters: z
    .looseObject({ type: z.literal("object") })
    .default({ type: "object", properties: {} })
    .describe("A JSON Schema of type object, sent to the model unchanged"),
  request: RequestDefinition.describe("How the service is called"),
  success: success.optional(),
  data: path.optional().describe("The part of the response that is the result; default: all of it"),
  fields: z
    .array(
      z.string().regex(/^[^.[\]{}]+(?:\.[^.[\]{}]+)*$/, 'expected a field such as "user.name"'),
    )
    .min(1)
    .optional()
    .describe(
      "The fields of the result that the model reads, of each item where it is a list; default: all of them",
    ),
  pages: pages.optional(),
  responseHeaders: z
    .array(headerName)
    .optional()
    .describe("Headers of the response that the model reads after the data"),
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
  needsApproval: ApprovalForm.optional().describe(
    "Whether a person must approve each call, or those in which a parameter compares so",
  ),
  ...policyFields,
  result: result.optional(),
});

/** A service definition before parsing. */
export type ServiceInput = z.input<typeof ServiceFields>;

/** A parsed service definition, with its defaults. */
export type Service = z.output<typeof ServiceFields>;

function isPath(value: string): boolean {
  return (
    wholeReference(`{{data.${value}}}`) !== undefined ||
    wholeReference(`{{data${value}}}`) !== undefined
  );
}
