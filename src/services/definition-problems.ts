import { isDateFormat } from "../dates/date-format.js";
import { amount } from "../json/condition.js";
import { isRecord, type Json } from "../json/json.js";
import { referencesIn, unreadableReferencesIn } from "../plan/step.js";
import { hintAt } from "../run/check-names.js";
import { approvalParameter } from "../tools/approval-form.js";
import { requiredOf } from "../tools/argument-schema.js";
import { isPattern } from "../tools/linear-pattern.js";
import { takesMore } from "./build-request.js";
import { authsOf, placeOfAuth } from "./credentials.js";
import {
  addressForm,
  isAddress,
  parametersInUrl,
  type Service,
  ServiceFields,
} from "./definition.js";
import { heldSecrets } from "./held-secrets.js";
import { placeOf } from "./place-arguments.js";
import { placeProblem, secretProblem } from "./place-problem.js";
import { listed } from "./values.js";

/** The fields of a definition that depend on one another. */
type Checked = Pick<
  Service,
  | "parameters"
  | "request"
  | "success"
  | "result"
  | "grounded"
  | "resource"
  | "needsApproval"
  | "fromMemory"
  | "effect"
  | "pages"
>;

/** Problems of a definition whose fields are valid one by one: combinations that would never work. */
function definitionProblems(service: Checked): SchemaProblem[] {
  const wrong = schemaProblems(service.parameters, ["parameters"]);
  if (wrong.length > 0) return wrong;
  const { properties } = service.parameters;
  const known = isRecord(properties) ? Object.keys(properties) : [];
  return [
    ...requiredProblems(service, known),
    ...policyProblems(service, known),
    ...urlProblems(service, known),
    ...placeProblems(service, known),
    ...bodyProblems(service, known),
    ...authProblems(service, known),
    ...pageProblems(service),
    ...successProblems(service),
    ...renderProblems(service, known),
  ];
}

function requiredProblems({ parameters }: Checked, known: readonly string[]): SchemaProblem[] {
  if (takesMore(parameters)) return [];
  return requiredOf(parameters)
    .filter((name) => !known.includes(name))
    .map((input) => ({
      path: ["parameters", "required"],
      message: noParameter(input, known),
      input,
    }));
}

/** Parameters that a policy names. */
function policyProblems(
  { grounded = [], resource, needsApproval, fromMemory = {} }: Checked,
  known: readonly string[],
): SchemaProblem[] {
  const deciding = approvalParameter(needsApproval);
  const named = [
    ...(deciding === undefined ? [] : [{ path: ["needsApproval", "parameter"], name: deciding }]),
    ...grounded.map((name, at) => ({ path: ["grounded", at], name })),
    ...(resource === undefined ? [] : [{ path: ["resource"], name: resource }]),
    ...Object.keys(fromMemory).map((name) => ({ path: ["fromMemory", name], name })),
  ];
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ path, name }) => ({ path, message: noParameter(name, known), input: name }));
}

function noParameter(name: string, known: readonly string[]): string {
  const hint = hintAt(name, known);
  return hint === ""
    ? `there is no such parameter; there are: ${listed(known)}`
    : `there is no such parameter.${hint} The parameters are: ${listed(known)}`;
}

function urlProblems({ request: { url } }: Checked, known: readonly string[]): SchemaProblem[] {
  const unknown = parametersInUrl(url).filter((used) => !known.includes(used));
  const messages = unknown.map((used) =>
    url.includes(`\${${used}}`)
      ? `\${${used}} is read from the environment only where the address begins with it`
      : `{${used}} is not a parameter; the parameters are: ${listed(known)}`,
  );
  if (unknown.length === 0) messages.push(...addressProblems(url));
  return messages.map((message) => ({ path: ["request", "url"], message, input: url }));
}

function addressProblems(url: string): string[] {
  if (url.includes("{{")) return ["write a parameter in single braces: {name}"];
  const isCalled = !addressForm.test(url) || isAddress(url);
  return isCalled ? [] : ["expected an address that can be called, without a user name"];
}

function placeProblems({ request }: Checked, known: readonly string[]): SchemaProblem[] {
  return Object.entries(request.in ?? {}).flatMap(([used, input]) => {
    const message = known.includes(used) ? placeProblem(request, used) : noParameter(used, known);
    return message === undefined ? [] : [{ path: ["request", "in", used], message, input }];
  });
}

/** A parameter that is the whole body leaves no room for fields. */
function bodyProblems({ request }: Checked, known: readonly string[]): SchemaProblem[] {
  const places = known.map((parameter) => ({
    parameter,
    where: placeOf(request, parameter).where,
  }));
  const whole = places.find(({ where }) => where === "wholeBody")?.parameter;
  if (whole === undefined) return textProblems(request);
  const others = places
    .filter(({ parameter, where }) => parameter !== whole && /body/i.test(where))
    .map(({ parameter }) => parameter);
  if (request.body !== undefined) others.push("request.body");
  if (others.length === 0) return [];
  const message = `wholeBody is all of the body, and these go there as well: ${listed(others)}`;
  return [{ path: ["request", "in", whole], message, input: request.in?.[whole] }];
}

/** A body that is one text has no fields. */
function textProblems({ bodyFormat: input }: Service["request"]): SchemaProblem[] {
  const message = 'expected a parameter that is all of the body: `in: { name: "wholeBody" }`';
  return input === "text" ? [{ path: ["request", "bodyFormat"], message, input }] : [];
}

/** Two secrets in one place: only the last would be sent. No argument may stand in the place of one, and none here. */
function authProblems({ request }: Checked, known: readonly string[]): SchemaProblem[] {
  const { auth } = request;
  const places = authsOf(auth).map(placeOfAuth);
  const twice = places.flatMap((place, at): SchemaProblem[] => {
    if (places.indexOf(place) === at) return [];
    const message = `two authorizations are sent as the ${place}: expected one`;
    return [{ path: ["request", "auth", at], message, input: [auth].flat()[at] }];
  });
  const replaced = known.flatMap((input): SchemaProblem[] => {
    const message = secretProblem(request, input);
    const path = ["parameters", "properties", input];
    return message === undefined ? [] : [{ path, message, input }];
  });
  const held = heldSecrets(request).map((path): SchemaProblem => {
    const message =
      "expected no secret, but `auth` with the environment variable that holds it, got one";
    return { path, message, input: undefined };
  });
  return [...twice, ...replaced, ...held];
}

/** Only a GET can be sent again to another address: a page after a change would repeat it. */
function pageProblems({ pages, effect = "read", request: { method } }: Checked): SchemaProblem[] {
  if (pages?.next === "link" && pages.parameter !== undefined) {
    const message = "a cursor stands in the response: expected its place";
    return [{ path: ["pages", "next"], message, input: pages.next }];
  }
  if (pages === undefined || (method === "GET" && effect === "read")) return [];
  const message = "expected a GET with the effect read: other calls are not repeated for a page";
  return [{ path: ["pages"], message, input: `${method}, ${effect}` }];
}

function successProblems({ success }: Checked): SchemaProblem[] {
  if (success === undefined || success.operator === "exists") return [];
  const { operator, target: input } = success;
  const problem = (message: string): SchemaProblem[] => [
    { path: ["success", "target"], message, input },
  ];
  if (input === undefined) return problem(`expected a value to compare with (${operator})`);
  return /[<>]/.test(operator) && Number.isNaN(amount(input))
    ? problem(`expected a number to compare with (${operator})`)
    : [];
}

function renderProblems({ result }: Checked, known: readonly string[]): SchemaProblem[] {
  if (typeof result !== "object" || result.to !== "render") return [];
  const fields: readonly (readonly [string, Json])[] = [
    ["props", result.props],
    ["say", result.say ?? ""],
  ];
  return fields.flatMap(([field, input]) => {
    const unknown = referencesIn(input).filter(
      ({ id, path: [name] }) =>
        id !== "data" && !(id === "args" && (name === undefined || known.includes(String(name)))),
    );
    return [...unknown.map(({ text }) => text), ...unreadableReferencesIn(input)].map((text) => ({
      path: ["result", field],
      message: `expected {{data.path}}, or {{args.name}} of one of the parameters (${listed(known)})`,
      input: text,
    }));
  });
}

/** A problem at one place of a schema. */
type SchemaProblem = {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly input: unknown;
};

/** The type names of JSON Schema. */
export const schemaTypes: readonly unknown[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
];
const isText = (value: unknown) => typeof value === "string";
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;

/** The types of the keywords that are mistaken most often: a provider refuses all tools for one wrong value. */
const keywords: readonly (readonly [string, (value: unknown) => boolean, string])[] = [
  ["type", isType, `expected one of ${schemaTypes.join(", ")}, or a list of these`],
  ["properties", isRecord, "expected an object of schemas by name"],
  ["required", isNames, "expected a list of names, beside `properties`"],
  ["enum", isList, "expected a list of values"],
  ["items", isSchema, "expected a schema"],
  ["anyOf", isList, "expected a list of schemas"],
  ["oneOf", isList, "expected a list of schemas"],
  ["allOf", isList, "expected a list of schemas"],
  ["description", isText, "expected a text"],
  ["format", isText, "expected a text"],
  ["pattern", isPattern, "expected a regular expression"],
  [
    "x-date-format",
    (value) => typeof value === "string" && isDateFormat(value),
    'expected a date format, such as "YYYY-MM-DD", "YYYY/MM/DD HH:mm", "epoch-ms" or "epoch-s"',
  ],
];

/** Deeper schemas are not checked here. */
const maxDepth = 30;

/** Problems of a JSON Schema and its subschemas, for the usual keywords. */
function schemaProblems(schema: unknown, path: SchemaProblem["path"]): SchemaProblem[] {
  if (!isSchema(schema)) return [{ path, message: "expected a schema", input: schema }];
  if (!isRecord(schema) || path.length > maxDepth) return [];
  const own = keywords
    .filter(([keyword, fits]) => Object.hasOwn(schema, keyword) && !fits(schema[keyword]))
    .map(([keyword, , message]) => ({ path: [...path, keyword], message, input: schema[keyword] }));
  return own.length > 0 ? own : schemasIn(schema, path);
}

function schemasIn(schema: Readonly<Record<string, unknown>>, path: SchemaProblem["path"]) {
  const { items } = schema;
  const inside = ["properties", "anyOf", "oneOf", "allOf", "$defs"].flatMap((keyword) =>
    Object.entries(schema[keyword] ?? {}).flatMap(([name, each]) =>
      schemaProblems(each, [...path, keyword, name]),
    ),
  );
  return items === undefined ? inside : [...inside, ...schemaProblems(items, [...path, "items"])];
}

function isSchema(value: unknown): boolean {
  return isRecord(value) || typeof value === "boolean";
}

function isType(value: unknown): boolean {
  return [value].flat().every((type) => schemaTypes.includes(type)) && [value].flat().length > 0;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** A service for a tool: valid fields that fit together. */
export const ServiceDefinition = ServiceFields.superRefine((service, context) => {
  for (const { path, message, input } of definitionProblems(service)) {
    context.addIssue({ code: "custom", path: [...path], message, input });
  }
});
