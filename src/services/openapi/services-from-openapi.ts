import { defined } from "../../json/json.js";
import { estimateTokens } from "../../models/usage.js";
import { checkNames, invalidOption, type NamesOf } from "../../run/check-names.js";
import { issueLines } from "../../run/errors.js";
import { type JsonSchema, typesOf } from "../../tools/argument-schema.js";
import { uncheckedPatterns } from "../../tools/linear-pattern.js";
import { ServiceDefinition } from "../definition-problems.js";
import { methods, type ServiceInput } from "../definition.js";
import { readDataFile } from "../../files/data-file.js";
import { listed, uniqueNames } from "../values.js";
import { operationArguments } from "./arguments.js";
import {
  checkServerUrl,
  type ChosenServer,
  chosenServer,
  operationAuth,
  schemesIn,
  serverUrl,
  type Variables,
  withoutAuth,
} from "./auth.js";
import { operationBody } from "./body.js";
import {
  isNamed,
  labelOf,
  type LeftOut,
  type Operation,
  type OperationChoice,
  operationsIn,
  readDocument,
  selectOperations,
} from "./operations.js";
import { pruneSchema } from "./prune-schema.js";
import { type Dropped, operationParameters } from "./parameters.js";
import {
  fieldOf,
  type Fields,
  fieldsOf,
  listOf,
  resolved,
  textOf,
  UnfitOperation,
  unlessUnfit,
} from "./references.js";

import { isSwagger, upgradedSwagger } from "./swagger.js";

/** Selects the operations of an OpenAPI document, and gives settings that the document lacks. */
export type OpenApiSelection = OperationChoice & {
  /**
   * The address to call instead of the document's servers; relative ones are resolved against it. Requests go nowhere
   * else: operations with a different server are skipped.
   */
  readonly serverUrl?: string | undefined;
  /** Environment variables by the names of security schemes; default: title and scheme, `PETSTORE_API_KEY`. */
  readonly env?: Variables | undefined;
};

const selectionNames: NamesOf<OpenApiSelection> = {
  tags: true,
  operations: true,
  methods: true,
  serverUrl: true,
  env: true,
};

/** The services for the selected operations, with a report. */
export type OpenApiServices = {
  readonly services: readonly ServiceInput[];
  /** Operations that could not be made services, and why. */
  readonly leftOut: readonly LeftOut[];
  /** Optional parameters that were left out, and why. */
  readonly dropped: readonly {
    readonly service: string;
    readonly parameter: string;
    readonly reason: string;
  }[];
  /** Tools whose schema lost its deepest levels, and their estimated tokens before and now. Arguments there are still sent. */
  readonly pruned: readonly {
    readonly service: string;
    readonly before: number;
    readonly tokens: number;
  }[];
  /** Patterns that only the service checks: the linear-time engine has no look-around or back-references. */
  readonly unchecked: readonly { readonly service: string; readonly pattern: string }[];
  /** The estimated tokens of the tool definitions in each model call, with the five largest at most. */
  readonly tokens: {
    readonly total: number;
    readonly dearest: readonly { readonly service: string; readonly tokens: number }[];
  };
};

/**
 * Makes services of the selected operations of an OpenAPI document, version 3.0 or 3.1. Only the parts that these
 * operations reach are read. Deprecated operations are skipped unless `operations` names them. Throws `invalid_input`
 * if it is not such a document, `invalid_option` for a selection with unknown names or without any operation.
 */
export function servicesFromOpenApi(
  document: unknown,
  selection: OpenApiSelection = {},
): OpenApiServices {
  checkNames("The selection", selection, selectionNames, { server: "serverUrl" });
  const read = readDocument(document);
  checkServerUrl(selection.serverUrl);
  checkSchemes(read, selection.env);
  const { operations, leftOut } = operationsIn(read);
  // If no operation can be read, the reasons help more than an empty selection.
  const isUnreadable = operations.length === 0 && leftOut.length > 0;
  const selected = isUnreadable ? [] : selectOperations(operations, selection);
  const server = chosenServer(read, operations, selection.serverUrl);
  const nameOf = uniqueNames();
  const services: ServiceInput[] = [];
  const dropped: OpenApiServices["dropped"][number][] = [];
  const pruned: OpenApiServices["pruned"][number][] = [];
  for (const operation of selected) {
    const { id, method, path } = operation;
    const convert = () => {
      const made = serviceOfOperation(read, operation, selection, server);
      const service = nameOf(id === "" ? `${method.toLowerCase()} ${path}` : id, "operation");
      const whole = { name: service, ...made.service };
      const fitting = withinTokens(whole);
      services.push(fitting);
      if (fitting !== whole) {
        pruned.push({ service, before: toolTokens(whole), tokens: toolTokens(fitting) });
      }
      dropped.push(...made.dropped.map((each) => ({ service, ...each })));
    };
    unlessUnfit(convert, (reason) => void leftOut.push({ operation: labelOf(operation), reason }));
  }
  return {
    services,
    leftOut,
    dropped,
    pruned,
    unchecked: services.flatMap(({ name: service, parameters }) =>
      uncheckedPatterns(parameters).map((pattern) => ({ service, pattern })),
    ),
    tokens: tokensOf(services),
  };
}

/** The most that one tool may cost in each model call, in estimated tokens. */
const maxToolTokens = 4_000;

/** The service; with the deepest levels of its parameters left out if its tool is too large. */
function withinTokens(service: ServiceInput): ServiceInput {
  const { parameters } = service;
  if (parameters === undefined || toolTokens(service) <= maxToolTokens) return service;
  const { type, ...rest } = parameters;
  const fits = (pruned: JsonSchema) =>
    toolTokens({ ...service, parameters: { ...pruned, type } }) <= maxToolTokens;
  return { ...service, parameters: { type, ...pruneSchema(rest, fits) } };
}

function toolTokens({ name, description, extendedDescription, parameters }: ServiceInput): number {
  return estimateTokens(JSON.stringify({ name, description, extendedDescription, parameters }));
}

function tokensOf(services: readonly ServiceInput[]): OpenApiServices["tokens"] {
  const each = services.map((service) => ({ service: service.name, tokens: toolTokens(service) }));
  return {
    total: each.reduce((total, { tokens }) => total + tokens, 0),
    dearest: each.toSorted((one, other) => other.tokens - one.tokens).slice(0, 5),
  };
}

function checkSchemes(document: Fields, variables: Variables = {}): void {
  const known = Object.keys(schemesIn(document));
  for (const scheme of Object.keys(variables)) {
    if (known.includes(scheme)) continue;
    throw invalidOption(
      `The document has no security scheme ${JSON.stringify(scheme)}; its schemes are: ${listed(known)}.`,
    );
  }
}

/**
 * Makes services of an OpenAPI document in a file; one of Swagger 2.0 needs the package `@scalar/openapi-upgrader`.
 * Throws as `readDataFile` and `servicesFromOpenApi` do, and `missing_package` without that package.
 */
export async function importOpenApi(
  file: string,
  selection: OpenApiSelection = {},
): Promise<OpenApiServices> {
  const document = await readDataFile(file);
  const read = isSwagger(document) ? await upgradedSwagger(document, file) : document;
  return servicesFromOpenApi(read, selection);
}

/** An operation as a nameless service, and its dropped parameters. Throws `UnfitOperation` if no definition fits it. */
function serviceOfOperation(
  document: Fields,
  operation: Operation,
  selection: OpenApiSelection,
  server: ChosenServer | undefined,
): { service: Omit<ServiceInput, "name">; dropped: readonly Dropped[] } {
  const { fields, path } = operation;
  if (fields["deprecated"] === true && !isNamed(operation, selection)) {
    throw new UnfitOperation("it is deprecated");
  }
  const method = methods.find((each) => each === operation.method);
  if (method === undefined) throw new UnfitOperation(`its method is ${operation.method}`);
  const auth = operationAuth(document, operation, selection.env);
  const { parameters, dropped } = operationParameters(document, operation);
  const body = operationBody(document, operation);
  const args = operationArguments(document, method, withoutAuth(parameters, auth), body);
  const named = path.replaceAll(
    /\{([^{}]*)\}/g,
    (whole, name: string) => args.inPath.get(name) ?? whole,
  );
  const service = {
    ...operationText(operation),
    parameters: args.parameters,
    request: {
      method,
      url: `${serverUrl(document, operation, server)}${named}`,
      ...(Object.keys(args.in).length === 0 ? {} : { in: args.in }),
      ...(body?.contentType === undefined ? {} : { headers: { "content-type": body.contentType } }),
      ...(body === undefined || body.format === "json" ? {} : { bodyFormat: body.format }),
      ...args.fixed,
      ...defined({ auth }),
    },
    ...defined({ error: errorPlace(document, operation) }),
  };
  const { error: wrong } = ServiceDefinition.safeParse({ name: "name", ...service });
  if (wrong !== undefined) throw new UnfitOperation(issueLines(wrong.issues).join("; "));
  return { service, dropped: [...dropped, ...args.dropped] };
}

/** The length limits of a tool's description and of its extended part, in characters. */
const maxDescription = 300;
const maxExtended = 600;

/** The part of a description that is read; some contain whole manuals. */
const maxRead = 5_000;

/** A short description: summary and first paragraph. The other paragraphs, if short, are the extended description. */
function operationText({ fields, method, path }: Operation) {
  const [first = "", ...others] = paragraphs(textOf(fields, "description"));
  const summary = textOf(fields, "summary").slice(0, maxRead).replaceAll(/\s+/g, " ").trim();
  const isSaid = first.toLowerCase().startsWith(summary.toLowerCase());
  const sentences = isSaid ? [first] : [ended(summary), first];
  const description = shortened(sentences.join(" ").trim(), maxDescription);
  const extendedDescription = others.join("\n");
  return {
    description: description === "" ? `${method} ${path}` : description,
    ...(extendedDescription === "" || extendedDescription.length > maxExtended
      ? {}
      : { extendedDescription }),
  };
}

function paragraphs(text: string): string[] {
  return (
    text
      .slice(0, maxRead)
      .replaceAll("\r\n", "\n")
      // Link targets cost tokens and do not help a model.
      .replaceAll(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, "$1")
      .split("\n\n")
      .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
      .filter((paragraph) => paragraph !== "")
  );
}

function ended(sentence: string): string {
  return sentence === "" || /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** As many whole sentences as fit, otherwise whole words; a cut is marked. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const sentence = head.lastIndexOf(". ");
  if (sentence > max / 2) return head.slice(0, sentence + 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), max / 2)).trimEnd()}…`;
}

/** Usual places of a service's error message, the surest first. */
const paths = ["error.message", "message", "detail", "error_description", "error"];

/** The place of the message in an operation's error responses, if the document has one of these places. */
function errorPlace(document: Fields, { fields }: Operation): { path: string } | undefined {
  const responses = Object.entries(fieldsOf(fields, "responses"));
  const refusals = responses.filter(([status]) => /^(?:[45]|default$)/i.test(status));
  for (const [, response] of refusals) {
    // A service can be called even if the schema of its errors cannot be read.
    const found = paths.find((path) =>
      unlessUnfit(
        () => says(document, response, path.split(".")),
        () => false,
      ),
    );
    if (found !== undefined) return { path: found };
  }
  return undefined;
}

function says(document: Fields, response: unknown, path: readonly string[]): boolean {
  const content = Object.entries(fieldsOf(resolved(document, response), "content"));
  const [, json] = content.find(([type]) => /json/i.test(type)) ?? [];
  const property = path.reduce<unknown>(
    (at, name) => propertyOf(document, at, name),
    fieldOf(json, "schema"),
  );
  const types = property === undefined ? [] : typesOf(resolved(document, property));
  return types.includes("string") || (path.join() === "detail" && types.length > 0);
}

function propertyOf(document: Fields, schema: unknown, name: string, depth = 0): unknown {
  const fields = resolved(document, schema);
  const own = fieldOf(fieldOf(fields, "properties"), name);
  if (own !== undefined || depth > 2) return own;
  return listOf(fields, "allOf")
    .slice(0, 20)
    .map((part) => propertyOf(document, part, name, depth + 1))
    .find((each) => each !== undefined);
}
