import { PlangraphError } from "../errors.js";
import type { Environment } from "../models/model.js";
import { keepSecret } from "../observe/redact.js";
import type { Auth, Service } from "./definition.js";

/** The credentials of a request. */
export type Credentials = {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** The authorizations of a definition as a list. */
export function authsOf(auth: Service["request"]["auth"]): readonly Auth[] {
  return auth === undefined ? [] : [auth].flat();
}

/** The place of a secret in a request; two of one place exclude each other. */
export function placeOfAuth(auth: Auth): string {
  if (auth.type === "query") return `query parameter ${auth.name}`;
  if (auth.type === "cookie") return `cookie ${auth.name}`;
  return `header ${auth.type === "header" ? auth.name.toLowerCase() : "authorization"}`;
}

/**
 * Reads the secrets of a service, and masks them while the result is in use. Optional ones whose variable is not set
 * are left out. Throws `missing_key` if the variable of another is not set, `invalid_service` for a secret that a
 * cookie cannot hold.
 */
export function credentialsOf(
  { name, request }: Pick<Service, "name" | "request">,
  environment: Environment,
): Credentials {
  const found = authsOf(request.auth).flatMap((auth) => {
    const secret = environment[auth.env]?.trim() ?? "";
    if (secret === "" && auth.optional === true) return [];
    checkSecret(name, auth, secret);
    const token = auth.type === "basic" ? Buffer.from(secret, "utf8").toString("base64") : secret;
    return [{ auth, secret, token }];
  });
  const cookies = found.flatMap(({ auth, token }) =>
    auth.type === "cookie" ? [`${auth.name}=${token}`] : [],
  );
  const credentials = {
    headers: {
      ...Object.fromEntries(found.flatMap(({ auth, token }) => headerOf(auth, token))),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join("; ") }),
    },
    query: Object.fromEntries(
      found.flatMap(({ auth, token }) => (auth.type === "query" ? [[auth.name, token]] : [])),
    ),
  };
  for (const { auth, secret, token } of found) {
    for (const form of formsOf(secret, token, auth.type)) keepSecret(form, credentials);
  }
  return credentials;
}

function checkSecret(service: string, { type, env }: Auth, secret: string): void {
  if (secret === "") {
    throw new PlangraphError(
      "missing_key",
      `The service "${service}" needs the environment variable ${env} for its ${type} authorization; it is not set.`,
    );
  }
  // A semicolon would begin another cookie.
  if (type !== "cookie" || /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(secret)) return;
  throw new PlangraphError(
    "invalid_service",
    `The service "${service}" sends the environment variable ${env} as a cookie: expected a value without spaces, quotes, commas, semicolons and backslashes.`,
  );
}

function headerOf(auth: Auth, token: string): (readonly [string, string])[] {
  if (auth.type === "header") return [[auth.name.toLowerCase(), token]];
  if (auth.type === "basic") return [["authorization", `Basic ${token}`]];
  return auth.type === "bearer" ? [["authorization", `Bearer ${token}`]] : [];
}

/** The forms in which a secret may come back: raw, as sent, URL-encoded, and the password without the user. */
function formsOf(secret: string, token: string, type: string): ReadonlySet<string> {
  const password = type === "basic" ? secret.replace(/^[^:]*:/, "") : secret;
  const [, inQuery = ""] = new URLSearchParams([["", secret]]).toString().split("=");
  return new Set([secret, token, password, encodeURIComponent(secret), inQuery]);
}

/** The headers of a call with those of its credentials, which come last; cookies of both are sent. */
export function withCookies(
  open: Readonly<Record<string, string>>,
  secret: Credentials["headers"],
): Record<string, string> {
  const cookies = [open["cookie"], secret["cookie"]].filter((each) => each !== undefined);
  return { ...open, ...secret, ...(cookies.length === 0 ? {} : { cookie: cookies.join("; ") }) };
}
