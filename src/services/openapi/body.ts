import { typesOf } from "../../tools/argument-schema.js";
import type { ServiceInput } from "../definition.js";
import type { Operation } from "./operations.js";
import { fieldOf, type Fields, fieldsOf, resolved, UnfitOperation } from "./references.js";

/** The body of a request in the document. */
export type OperationBody = {
  readonly schema: unknown;
  readonly description: unknown;
  readonly isRequired: boolean;
  readonly format: NonNullable<ServiceInput["request"]["bodyFormat"]>;
  /** The content type of a body that is a file. */
  readonly file?: string;
  /** Set if it differs from the format's own. */
  readonly contentType: string | undefined;
  /** The encoding of form fields, by name. */
  readonly encoding: Fields;
};

/** One content type of a body. */
type Content = { readonly type: string; readonly media: unknown };

/** The formats in the order of preference; a file is sent as a text is. */
const formats: readonly (readonly [
  OperationBody["format"] | "file",
  (content: Content, document: Fields) => boolean,
])[] = [
  ["file", ({ type, media }, document) => type === "*/*" && areBytes(document, media)],
  ["json", ({ type }) => type === "application/json" || type.endsWith("+json") || type === "*/*"],
  ["form", ({ type }) => type === "application/x-www-form-urlencoded"],
  ["multipart", ({ type }) => type === "multipart/form-data"],
  ["text", ({ type, media }, document) => isText(type) && isOneText(document, media)],
  ["file", ({ type, media }, document) => isFileType(type) && isOneString(document, media)],
];

/** The body of an operation, JSON if possible. Throws `UnfitOperation` if a definition cannot express it. */
export function operationBody(document: Fields, operation: Operation): OperationBody | undefined {
  const body = resolved(document, fieldOf(operation.fields, "requestBody"));
  const content = Object.entries(fieldsOf(body, "content")).map(([type, media]) => ({
    type: type.split(";", 1).join("").trim().toLowerCase(),
    media,
  }));
  if (content.length === 0) return undefined;
  const isRequired = fieldOf(body, "required") === true;
  const [found] = formats.flatMap(([format, fits]) =>
    content.filter((each) => fits(each, document)).map((each) => ({ ...each, format })),
  );
  if (found === undefined) {
    throw new UnfitOperation(`its body is ${content.map(({ type }) => type).join(" or ")}`);
  }
  if (operation.method === "GET" || operation.method === "HEAD") {
    if (!isRequired) return undefined;
    throw new UnfitOperation(`it is ${operation.method} with a body`);
  }
  const { type, media, format } = found;
  const schema = fieldOf(media, "schema");
  const shared = { description: fieldOf(body, "description"), isRequired };
  if (format === "file") {
    const file = { schema: { type: "string" }, format: "text", file: type } as const;
    return { ...shared, ...file, contentType: undefined, encoding: {} };
  }
  return {
    ...shared,
    schema: format === "text" ? { ...resolved(document, schema), type: "string" } : schema,
    format,
    contentType: isOwn(type, format) ? type : undefined,
    encoding: fieldsOf(media, "encoding"),
  };
}

function areBytes(document: Fields, media: unknown): boolean {
  const { format, contentMediaType } = resolved(document, fieldOf(media, "schema"));
  return format === "binary" || contentMediaType === "application/octet-stream";
}

/** Whether a content type can be that of a file. Forms and JSON have fields. */
function isFileType(type: string): boolean {
  return /^[\w.+*-]+\/[\w.+*-]+$/.test(type) && !/json|^multipart\/|x-www-form/.test(type);
}

/** Whether a format has another content type by default. */
function isOwn(type: string, format: OperationBody["format"]): boolean {
  if (format !== "text") return type.endsWith("+json");
  return type !== "text/plain" && !type.includes("*");
}

function isText(type: string): boolean {
  return type.startsWith("text/") || type === "application/xml" || type.endsWith("+xml");
}

function isOneText(document: Fields, media: unknown): boolean {
  return isOneString(document, media) && !areBytes(document, media);
}

/** Whether the body is one string: XML that a schema describes as an object is not written here. */
function isOneString(document: Fields, media: unknown): boolean {
  const schema = resolved(document, fieldOf(media, "schema"));
  const parts = ["properties", "items", "allOf", "anyOf", "oneOf", "xml"];
  return (
    typesOf(schema).every((type) => type === "string") &&
    !parts.some((keyword) => keyword in schema)
  );
}
