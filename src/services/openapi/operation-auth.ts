import { isRecord } from "../../json/json.js";
import type { ServiceInput } from "../definition.js";
import type { Operation } from "./operations.js";
import { fieldOf, type Fields, fieldsOf, listOf, resolved, textOf } from "./references.js";
import { UnfitOperation } from "./unfit-operation.js";

/** How a service knows who calls, as a definition says it. */
type Auth = NonNullable<ServiceInput["request"]["auth"]>;

/** Environment variables by the names of the schemes whose secrets they hold. */
export type Variables = { readonly [scheme: string]: string };

/**
 * How an operation knows who calls: the first of its alternatives that a definition can say. Nothing where it need
 * not know. Throws `UnfitOperation` where all of them are beyond a definition.
 */
export function operationAuth(
  document: Fields,
  { fields }: Operation,
  variables: Variables,
): Auth | undefined {
  const given = Array.isArray(fieldOf(fields, "security")) ? fields : document;
  const alternatives = listOf(given, "security").map((each) =>
    Object.keys(isRecord(each) ? each : {}),
  );
  if (alternatives.length === 0 || alternatives.some((schemes) => schemes.length === 0)) {
    return undefined;
  }
  const reasons = new Set<string>();
  for (const schemes of alternatives) {
    const found = authOf(document, schemes, variables);
    if (typeof found !== "string") return found;
    reasons.add(found);
  }
  throw new UnfitOperation([...reasons].join("; "));
}

/** The names of the schemes that a document has. */
export function schemesIn(document: Fields): string[] {
  return Object.keys(fieldsOf(fieldOf(document, "components"), "securitySchemes"));
}

/** The authorization, or why there is none. */
function authOf(document: Fields, schemes: readonly string[], variables: Variables): Auth | string {
  const [name = "", ...others] = schemes;
  if (others.length > 0) return `it wants two authorizations together: ${schemes.join(" and ")}`;
  const all = fieldsOf(fieldOf(document, "components"), "securitySchemes");
  const scheme = resolved(document, fieldOf(all, name));
  const env = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const kind = kindOf(scheme);
  if (kind === "") return `its authorization "${name}" is not in the document`;
  const auth = auths.get(kind);
  if (auth === undefined) return `its authorization "${name}" is ${kind}`;
  return auth(
    textOf(scheme, "name"),
    env ?? variableOf(textOf(fieldsOf(document, "info"), "title"), name),
  );
}

const auths: ReadonlyMap<string, (name: string, env: string) => Auth> = new Map([
  ["oauth2", (_, env): Auth => ({ type: "bearer", env })],
  ["openIdConnect", (_, env): Auth => ({ type: "bearer", env })],
  ["http bearer", (_, env): Auth => ({ type: "bearer", env })],
  ["http basic", (_, env): Auth => ({ type: "basic", env })],
  ["apiKey header", (name, env): Auth => ({ type: "header", name, env })],
  ["apiKey query", (name, env): Auth => ({ type: "query", name, env })],
]);

/** What a scheme is, as far as a definition tells them apart: `http bearer`, `apiKey cookie`. */
function kindOf(scheme: Fields): string {
  const type = textOf(scheme, "type");
  if (type === "http") return `http ${textOf(scheme, "scheme").toLowerCase()}`;
  return type === "apiKey" ? `apiKey ${textOf(scheme, "in")}` : type;
}

/** `PETSTORE_API_KEY` for the scheme `api_key` of "Petstore". */
function variableOf(title: string, scheme: string): string {
  const words = `${title} ${scheme}`
    .slice(0, 500)
    .normalize("NFKD")
    .replaceAll(/\p{M}|['’]/gu, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .split(/[^A-Za-z0-9]/)
    .filter((word) => word !== "");
  const name = words.join("_").toUpperCase();
  return /^[A-Z]/.test(name) ? name : `API_${name}`;
}
