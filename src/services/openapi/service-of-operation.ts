import { issueLines } from "../../run/errors.js";
import { typesOf } from "../../tools/argument-schema.js";
import { ServiceDefinition } from "../definition-problems.js";
import type { ServiceInput } from "../definition.js";
import { operationArguments } from "./arguments.js";
import { type ChosenServer, operationAuth, serverUrl, type Variables } from "./auth.js";
import type { Operation } from "./operations.js";
import { type Dropped, operationBody, operationParameters } from "./parameters.js";
import {
  fieldOf,
  type Fields,
  fieldsOf,
  listOf,
  resolved,
  textOf,
  UnfitOperation,
} from "./references.js";

/** What the developer says of all operations. */
export type Surroundings = {
  readonly server?: ChosenServer | undefined;
  readonly env?: Variables | undefined;
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * An operation as a service without its name, and the optional parameters that it does without. Throws
 * `UnfitOperation` for one that no definition can say.
 */
export function serviceOfOperation(
  document: Fields,
  operation: Operation,
  { server, env = {} }: Surroundings,
): { service: Omit<ServiceInput, "name">; dropped: readonly Dropped[] } {
  const method = methods.find((each) => each === operation.method);
  if (method === undefined) throw new UnfitOperation(`its method is ${operation.method}`);
  const { parameters, dropped } = operationParameters(document, operation);
  const body = operationBody(document, operation);
  const args = operationArguments(document, method, parameters, body);
  const auth = operationAuth(document, operation, env);
  const error = errorPath(document, operation);
  const service = {
    ...operationText(operation),
    parameters: args.parameters,
    request: {
      method,
      url: `${serverUrl(document, operation, server)}${pathOf(operation, args.inPath)}`,
      ...(Object.keys(args.in).length === 0 ? {} : { in: args.in }),
      ...(body?.contentType === undefined ? {} : { headers: { "content-type": body.contentType } }),
      ...(body?.format === "form" ? { bodyFormat: body.format } : {}),
      ...args.fixed,
      ...(auth === undefined ? {} : { auth }),
    },
    ...(error === undefined ? {} : { error: { path: error } }),
  };
  check({ name: "name", ...service });
  return { service, dropped: [...dropped, ...args.dropped] };
}

function pathOf({ path }: Operation, inPath: ReadonlyMap<string, string>): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `{${inPath.get(name) ?? name}}`);
}

function check(service: ServiceInput): void {
  const { error } = ServiceDefinition.safeParse(service);
  if (error !== undefined) throw new UnfitOperation(issueLines(error.issues).join("; "));
}

/** How long a tool's description is at most, and what else may be said of it, in characters. */
const maxDescription = 300;
const maxExtended = 600;

/** What is read of a description: whole manuals stand in some. */
const maxRead = 5_000;

/** What a model is told of an operation. */
type OperationText = {
  readonly description: string;
  readonly extendedDescription?: string;
};

/**
 * A short description: the summary and the first paragraph of the description. The other paragraphs are what else
 * there is to know, where they are short, or else left out.
 */
function operationText({ fields, method, path }: Operation): OperationText {
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
      // Where links lead costs tokens and tells a model nothing.
      .replaceAll(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, "$1")
      .split("\n\n")
      .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
      .filter((paragraph) => paragraph !== "")
  );
}

function ended(sentence: string): string {
  return sentence === "" || /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** As many whole sentences as fit, or else whole words; a cut is marked. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const sentence = head.lastIndexOf(". ");
  if (sentence > max / 2) return head.slice(0, sentence + 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), max / 2)).trimEnd()}…`;
}

/** Where services have what they say of a refusal, the surest first. */
const paths = ["error.message", "message", "detail", "error_description", "error"];

/** Where an operation's refusals have their message, if the document tells of one of these places. */
function errorPath(document: Fields, { fields }: Operation): string | undefined {
  const responses = Object.entries(fieldsOf(fields, "responses"));
  const refusals = responses.filter(([status]) => /^(?:[45]|default$)/i.test(status));
  for (const [, response] of refusals) {
    const found = paths.find((path) => says(document, response, path.split(".")));
    if (found !== undefined) return found;
  }
  return undefined;
}

function says(document: Fields, response: unknown, path: readonly string[]): boolean {
  try {
    const content = Object.entries(fieldsOf(resolved(document, response), "content"));
    const [, json] = content.find(([type]) => /json/i.test(type)) ?? [];
    const property = path.reduce<unknown>(
      (at, name) => propertyOf(document, at, name),
      fieldOf(json, "schema"),
    );
    const types = property === undefined ? [] : typesOf(resolved(document, property));
    return types.includes("string") || (path.join() === "detail" && types.length > 0);
  } catch (error) {
    // A service can be called without knowing where its errors say what they are.
    if (error instanceof UnfitOperation) return false;
    throw error;
  }
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
