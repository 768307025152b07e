import { PlangraphError } from "../errors.js";
import type { Environment } from "../models/model.js";
import { keepSecret } from "../observe/redact.js";
import type { Service } from "./definition.js";

/** What a request carries so that the service knows who calls. */
export type Credentials = {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/**
 * Reads a service's secret from the environment, and has it masked wherever it may come out for as long as what is
 * returned is in use. Throws `missing_key` for a variable that is not set.
 */
export function credentialsOf(
  { name, request: { auth } }: Service,
  environment: Environment,
): Credentials {
  if (auth === undefined) return { headers: {}, query: {} };
  const secret = environment[auth.env]?.trim() ?? "";
  if (secret === "") {
    throw new PlangraphError(
      "missing_key",
      `The service "${name}" needs the environment variable ${auth.env} for its ${auth.type} authorization; it is not set.`,
    );
  }
  const token = auth.type === "basic" ? Buffer.from(secret, "utf8").toString("base64") : secret;
  const credentials = carrying(auth, token);
  for (const form of formsOf(secret, token, auth.type)) keepSecret(form, credentials);
  return credentials;
}

/** How a secret may come back: as it is, as it was sent, as an address has it, and the password of a user alone. */
function formsOf(secret: string, token: string, type: string): ReadonlySet<string> {
  const password = type === "basic" ? secret.replace(/^[^:]*:/, "") : secret;
  const [, inQuery = ""] = new URLSearchParams([["", secret]]).toString().split("=");
  return new Set([secret, token, password, encodeURIComponent(secret), inQuery]);
}

function carrying(auth: NonNullable<Service["request"]["auth"]>, token: string): Credentials {
  if (auth.type === "query") return { headers: {}, query: { [auth.name]: token } };
  if (auth.type === "header") return { headers: { [auth.name.toLowerCase()]: token }, query: {} };
  const scheme = auth.type === "basic" ? "Basic" : "Bearer";
  return { headers: { authorization: `${scheme} ${token}` }, query: {} };
}
