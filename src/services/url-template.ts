import { PlangraphError } from "../errors.js";
import type { Environment } from "../models/model.js";
import { redact } from "../observe/redact.js";

/** A variable that an address begins with: `${ROOMS_URL}/rooms`. */
const variable = /^\$\{(\w+)\}/;

/** What an address has to begin with: a scheme and all of a host, or a variable that stands for these. */
export const addressForm = /^(?:https?:\/\/[^\s{}/?#]+(?![^/?#])|\$\{[A-Za-z_]\w*\}(?![^/?]))/i;

/**
 * The address with what the environment has for the variable that it begins with. Throws `missing_key` for one that is
 * not set, `invalid_service` where what it holds is no web address.
 */
export function addressIn(url: string, environment: Environment, service: string): string {
  const [whole, name] = variable.exec(url) ?? [];
  if (whole === undefined || name === undefined) return url;
  const base = environment[name]?.trim() ?? "";
  const told = `The service "${service}" has its address in the environment variable ${name}`;
  if (base === "") throw new PlangraphError("missing_key", `${told}; it is not set.`);
  if (/^https?:\/\/[^\s{}/?#][^\s{}?#]*$/i.test(base)) {
    return `${base.replace(/\/$/, "")}${url.slice(whole.length)}`;
  }
  throw new PlangraphError(
    "invalid_service",
    `${told}: expected one that begins with http:// or https:// and a host, got "${redact(base)}".`,
  );
}

/** The parameters that an address names, in order: `/rooms/{id}` names `id`. */
export function parametersInUrl(url: string): string[] {
  return [...url.replace(variable, "").matchAll(/\{([^{}]*)\}/g)].map(([, found = ""]) => found);
}

/** Whether an address could be called if all that it names were there; one with a user name could not. */
export function isAddress(url: string): boolean {
  const filled = url.replace(variable, "http://x").replaceAll(/\{[^{}]*\}/g, "x");
  if (!URL.canParse(filled)) return false;
  const { username, password } = new URL(filled);
  return username === "" && password === "";
}
