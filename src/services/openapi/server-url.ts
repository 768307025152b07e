import { PlangraphError } from "../../errors.js";
import type { Operation } from "./operations.js";
import { type Fields, fieldOf, fieldsOf, listOf, textOf } from "./references.js";
import { UnfitOperation } from "./unfit-operation.js";

/**
 * The address that an operation's path stands on: the first server of the operation, its path or the document.
 * `chosen` stands for the document's, and is what relative addresses stand on. Throws `UnfitOperation` for none.
 */
export function serverUrl(document: Fields, operation: Operation, chosen?: string): string {
  const near = [operation.fields, operation.item].flatMap((each) => listOf(each, "servers"));
  const [server] = near.length > 0 || chosen !== undefined ? near : listOf(document, "servers");
  const address = withVariables(server);
  if (isAbsolute(address)) return trimmed(address);
  if (chosen === undefined) {
    throw new UnfitOperation("the document names no server with a whole address: choose one");
  }
  // Without a server of its own, an operation stands on the chosen address as it is.
  return trimmed(address === "" ? chosen : new URL(address, chosen).href);
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
  return address.replace(/[?#].*$/s, "").replace(/\/$/, "");
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
