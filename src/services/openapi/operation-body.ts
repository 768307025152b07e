import type { Operation } from "./operations.js";
import { type Fields, fieldOf, fieldsOf, resolved } from "./references.js";
import { UnfitOperation } from "./unfit-operation.js";

/** The body of a request as the document has it. */
export type OperationBody = {
  readonly schema: unknown;
  readonly description: unknown;
  readonly isRequired: boolean;
  readonly format: "json" | "form";
  /** Where it is another than the format's own. */
  readonly contentType: string | undefined;
  /** How the fields of a form are written, by name. */
  readonly encoding: Fields;
};

const form = "application/x-www-form-urlencoded";

/**
 * The body that an operation takes, as JSON where it has the choice. Throws `UnfitOperation` for one that is
 * required and is neither JSON nor a form.
 */
export function operationBody(document: Fields, operation: Operation): OperationBody | undefined {
  const body = resolved(document, fieldOf(operation.fields, "requestBody"));
  const content = Object.entries(fieldsOf(body, "content")).map(([type, media]) => ({
    type: type.split(";", 1).join("").trim().toLowerCase(),
    media,
  }));
  if (content.length === 0) return undefined;
  const isRequired = fieldOf(body, "required") === true;
  const found =
    content.find(({ type }) => isJson(type)) ?? content.find(({ type }) => type === form);
  if (found === undefined) {
    throw new UnfitOperation(`its body is ${content.map(({ type }) => type).join(" or ")}`);
  }
  if (operation.method === "GET" || operation.method === "HEAD") {
    if (!isRequired) return undefined;
    throw new UnfitOperation(`it is ${operation.method} with a body`);
  }
  return {
    schema: fieldOf(found.media, "schema"),
    description: fieldOf(body, "description"),
    isRequired,
    format: found.type === form ? "form" : "json",
    contentType: found.type.endsWith("+json") ? found.type : undefined,
    encoding: fieldsOf(found.media, "encoding"),
  };
}

function isJson(type: string): boolean {
  return type === "application/json" || type.endsWith("+json") || type === "*/*";
}
