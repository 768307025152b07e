import { PlangraphError } from "../../errors.js";
import type { Operation } from "./operations.js";
import { type Fields, fieldOf, fieldsOf, listOf, textOf } from "./references.js";
import { UnfitOperation } from "./unfit-operation.js";

/** The address that a developer chose, and the addresses of the document that it stands for. */
export type ChosenServer = {
  readonly url: string;
  readonly replaces: ReadonlySet<string>;
};

/**
 * The chosen address stands for every server of the document itself; where the document has none, for the one server
 * that all operations share. Nothing else is known to be the same API.
 */
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
 * The address that an operation's path stands on: the first server of the operation, its path or the document, or the
 * chosen one. Once an address is chosen, nothing is sent to another one. Throws `UnfitOperation` for no address, and
 * for an operation that has another server than those that the chosen one stands for.
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
  // A relative address stands on the chosen one; one that names a host ("//other") leaves it.
  const resolvedUrl = new URL(address, chosen.url);
  if (resolvedUrl.origin === new URL(chosen.url).origin) return trimmed(resolvedUrl.href);
  throw new UnfitOperation(
    `it has a server of its own, ${trimmed(resolvedUrl.href)}, for which the chosen address does not stand`,
  );
}

function serversNear({ fields, item }: Operation): readonly unknown[] {
  return [fields, item].flatMap((each) => listOf(each, "servers"));
}

/** The whole addresses of servers, without those whose variables have no default. */
function addressesOf(servers: readonly unknown[]): Set<string> {
  const addresses = servers.flatMap((server) => {
    try {
      return [trimmed(withVariables(server))];
    } catch (error) {
      if (error instanceof UnfitOperation) return [];
      throw error;
    }
  });
  return new Set(addresses.filter(isAbsolute));
}

/** Checks an address that a developer chose. Throws `invalid_option` for one that cannot be called. */
export function checkServerUrl(url: string | undefined): void {
  if (url === undefined || (isAbsolute(url) && URL.canParse(url))) return;
  throw new PlangraphError(
    "invalid_option",
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
