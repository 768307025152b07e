import { isRecord } from "../../json/json.js";
import { invalidOption } from "../../run/check-names.js";
import { authsOf as authorizationsOf, placeOfAuth } from "../credentials.js";
import type { Auth, ServiceInput } from "../definition.js";
import type { Operation } from "./operations.js";
import type { OperationParameter } from "./parameters.js";
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

/** Environment variables of the secrets, by scheme name. */
export type Variables = { readonly [scheme: string]: string };

/** The authorizations of a service, in the form of a definition. */
type Auths = NonNullable<ServiceInput["request"]["auth"]>;

/**
 * The first alternative that a definition can express; undefined if none is needed. It is optional if the service can
 * be called without any. Else throws `UnfitOperation`.
 */
export function operationAuth(
  document: Fields,
  operation: Operation,
  variables: Variables = {},
): Auths | undefined {
  const { fields } = operation;
  const given = Array.isArray(fieldOf(fields, "security")) ? fields : document;
  const all = listOf(given, "security").map((each) => Object.keys(isRecord(each) ? each : {}));
  if (all.length === 0) return headerAuth(document, operation);
  const alternatives = all.filter((schemes) => schemes.length > 0);
  const isOptional = alternatives.length < all.length;
  const reasons = new Set<string>();
  for (const schemes of alternatives) {
    const found = authsOf(document, schemes, variables);
    if (typeof found === "string") reasons.add(found);
    else return listed(isOptional ? found.map((each) => ({ ...each, optional: true })) : found);
  }
  if (isOptional) return undefined;
  throw new UnfitOperation([...reasons].join("; "));
}

/**
 * The header `Authorization` of a document that lists it as a parameter instead of a security scheme. OpenAPI ignores
 * such a parameter, but the service does not answer without it.
 */
function headerAuth(document: Fields, { item, fields }: Operation): Auth | undefined {
  const given = [fields, item].flatMap((each) => listOf(each, "parameters"));
  const found = given
    .map((each) => resolved(document, each))
    .find((each) =>
      /^header authorization$/i.test(`${textOf(each, "in")} ${textOf(each, "name")}`),
    );
  if (found === undefined) return undefined;
  const env = variableOf(textOf(fieldsOf(document, "info"), "title"), "Authorization");
  const optional = fieldOf(found, "required") === true ? {} : { optional: true };
  return { type: "header", name: "Authorization", env, ...optional };
}

/**
 * The parameters that a model fills in: without those that the authorization sends, which many documents list as parameters,
 * too. Two values would be sent, and no model knows a secret.
 */
export function withoutAuth(
  parameters: readonly OperationParameter[],
  auth: ServiceInput["request"]["auth"],
): OperationParameter[] {
  const sent = new Set(authorizationsOf(auth).map(placeOfAuth));
  return parameters.filter(({ where, name }) => {
    if (where === "query") return !sent.has(`query parameter ${name}`);
    return !sent.has(`${where} ${where === "header" ? name.toLowerCase() : name}`);
  });
}

/** A single authorization needs no list. */
function listed(auths: readonly Auth[]): Auths | undefined {
  return auths.length > 1 ? [...auths] : auths[0];
}

/** The security schemes of a document, by name. */
export function schemesIn(document: Fields): Fields {
  return fieldsOf(fieldOf(document, "components"), "securitySchemes");
}

/**
 * The authorizations of schemes that are needed together, or the reason why there are none. Schemes of one kind and
 * place are one secret: Google's documents list its token twice.
 */
function authsOf(
  document: Fields,
  schemes: readonly string[],
  variables: Variables,
): Auth[] | string {
  const found = new Map<string, Auth>();
  // A variable that the developer chose comes before the default one of another scheme.
  for (const name of schemes.toSorted((one, other) => rank(one) - rank(other))) {
    const auth = authOf(document, name, variables);
    if (typeof auth === "string") return auth;
    const place = placeOfAuth(auth);
    const { type, env } = found.get(place) ?? auth;
    if (type !== auth.type || (env !== auth.env && Object.hasOwn(variables, name))) {
      return `it needs two authorizations as the ${place}: ${schemes.join(" and ")}`;
    }
    if (!found.has(place)) found.set(place, auth);
  }
  return [...found.values()];

  function rank(name: string): number {
    return Object.hasOwn(variables, name) ? 0 : 1;
  }
}

function authOf(document: Fields, name: string, variables: Variables): Auth | string {
  const scheme = resolved(document, fieldOf(schemesIn(document), name));
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
  ["apiKey cookie", (name, env): Auth => ({ type: "cookie", name, env })],
]);

/** The kind of a scheme, as definitions distinguish them: `http bearer`, `apiKey cookie`. */
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

/** The developer's address, and the addresses of the document that it replaces. */
export type ChosenServer = { readonly url: string; readonly replaces: ReadonlySet<string> };

/** It replaces the document's servers or the one that all operations share: only those are known to be the same API. */
export function chosenServer(
  document: Fields,
  operations: readonly Operation[],
  url: string | undefined,
): ChosenServer | undefined {
  if (url === undefined) return undefined;
  const own = addressesOf(listOf(document, "servers"));
  if (own.size > 0) return { url, replaces: own };
  const near = addressesOf(operations.flatMap((operation) => serversNear(operation).slice(0, 1)));
  return { url, replaces: near.size === 1 ? near : new Set() };
}

/**
 * The base address of an operation's path: the first server of the operation, its path or the document, or the chosen
 * one. With a chosen address, nothing is sent to another one. Throws `UnfitOperation` without an address, and for an
 * operation whose server the chosen address does not replace.
 */
export function serverUrl(
  document: Fields,
  operation: Operation,
  chosen: ChosenServer | undefined,
): string {
  const near = serversNear(operation);
  const [server] = near.length > 0 || chosen !== undefined ? near : listOf(document, "servers");
  const address = withVariables(server);
  if (chosen === undefined) {
    if (isAbsolute(address)) return trimmed(address);
    throw new UnfitOperation("the document names no server with a whole address: choose one");
  }
  if (address === "" || chosen.replaces.has(trimmed(address))) return trimmed(chosen.url);
  // A relative address is resolved against the chosen one; one that names a host ("//other") leaves it.
  const resolvedUrl = new URL(address, chosen.url);
  if (resolvedUrl.origin === new URL(chosen.url).origin) return trimmed(resolvedUrl.href);
  throw new UnfitOperation(
    `it has its own server, ${trimmed(resolvedUrl.href)}, which the chosen address does not replace`,
  );
}

function serversNear({ fields, item }: Operation): readonly unknown[] {
  return [fields, item].flatMap((each) => listOf(each, "servers"));
}

/** The absolute addresses of servers, without those whose variables have no default. */
function addressesOf(servers: readonly unknown[]): Set<string> {
  const addresses = servers.flatMap((server) =>
    unlessUnfit(
      () => [trimmed(withVariables(server))],
      () => [],
    ),
  );
  return new Set(addresses.filter(isAbsolute));
}

/** Checks a developer's address. Throws `invalid_option` for one that cannot be called. */
export function checkServerUrl(url: string | undefined): void {
  if (url === undefined || (isAbsolute(url) && URL.canParse(url))) return;
  throw invalidOption(
    `The server's address: expected one that begins with http:// or https://, got ${JSON.stringify(url)}.`,
  );
}

function isAbsolute(address: string): boolean {
  return /^https?:\/\/[^\s{}/?#]+/i.test(address);
}

function trimmed(address: string): string {
  return address.replace(/[?#].*/s, "").replace(/\/$/, "");
}

function withVariables(server: unknown): string {
  const variables = fieldsOf(server, "variables");
  return textOf(server, "url")
    .trim()
    .replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
      const value = fieldOf(fieldOf(variables, name), "default");
      if (typeof value === "string" || typeof value === "number") return String(value);
      throw new UnfitOperation(`its server's address has the variable "${name}" without a default`);
    });
}
