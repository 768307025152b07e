import type { RunnableConfig } from "@langchain/core/runnables";

import { PlangraphError } from "../errors.js";
import type { Environment } from "../models/model.js";
import { keepSecret } from "../observe/redact.js";
import { ClassifiedError, classifyError } from "../run/errors.js";
import { parentRunOf, withoutMarks } from "../run/scope.js";
import { untilAborted } from "../run/signals.js";
import type { ErrorKind } from "../state/observation.js";
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
  return "name" in auth
    ? placeInRequest(auth.type, auth.name)
    : placeInRequest("header", "authorization");
}

/** A place in a request, as problems name it; headers are the same in any case. */
export function placeInRequest(where: string, name: string): string {
  if (where === "query") return `query parameter ${name}`;
  return `${where} ${where === "header" ? name.toLowerCase() : name}`;
}

/** What a source of credentials is called with. */
export type CredentialRequest = {
  /** The name of the service. */
  readonly service: string;
  /** The name of the secret in the definition. */
  readonly name: string;
  /** The context of the run, as its `contextSchema` reads it; undefined outside of runs. */
  readonly context: unknown;
  /** The configurable fields of the run, such as `langgraph_auth_user`. */
  readonly configurable: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** Fetches a secret for one call: that of the person for whom the run works. Nothing where there is none. */
export type CredentialSource = (
  request: CredentialRequest,
) => string | undefined | Promise<string | undefined>;

/** Sources by the names that definitions have in place of secrets. */
export type CredentialSources = { readonly [name: string]: CredentialSource };

/** Gives the credentials of each call. */
export type ReadCredentials = (place: PlaceOfCall) => Promise<Credentials>;

/** Where a call is made, and what keeps its secrets masked: the run, whose events may tell what the service said. */
type PlaceOfCall = Pick<CredentialRequest, "context" | "configurable" | "signal"> & {
  readonly holder: object | undefined;
};

type Secret = { readonly auth: Auth; readonly secret: string };

/** The credentials of a service with all of its secrets in the environment. Throws as `credentialsOf` does. */
export function fixedCredentials(
  { name, request }: Pick<Service, "name" | "request">,
  environment: Environment,
): Credentials {
  const auths = authsOf(request.auth);
  return kept(
    name,
    auths.map((auth) => ({ auth, secret: secretIn(name, auth, environment) })),
  );
}

/**
 * Reads the secrets of a service, and masks them while the credentials are in use. A name with a source is asked for with
 * each call, and never read from the environment. Optional ones that are not there are left out. Throws `missing_key` if the variable of
 * another is not set, `invalid_service` for a secret that a cookie cannot hold; a call throws `missing_credential`.
 */
export function credentialsOf(
  service: Pick<Service, "name" | "request">,
  environment: Environment,
  sources: CredentialSources = {},
): ReadCredentials {
  const auths = authsOf(service.request.auth);
  const fixed = auths
    .filter(({ env }) => !Object.hasOwn(sources, env))
    .map((auth) => ({ auth, secret: secretIn(service.name, auth, environment) }));
  const known = kept(service.name, fixed);
  const asked = auths.filter(({ env }) => Object.hasOwn(sources, env));
  if (asked.length === 0) return async () => known;
  return async ({ holder, ...place }) => {
    const secrets = await Promise.all(
      asked.map(async (auth) => ({
        auth,
        secret: await fetchedFor(service.name, auth, sources, place),
      })),
    );
    return kept(service.name, [...fixed, ...secrets], holder);
  };
}

function secretIn(
  service: string,
  { type, env, optional }: Auth,
  environment: Environment,
): string {
  const secret = environment[env]?.trim() ?? "";
  if (secret !== "" || optional === true) return secret;
  throw new PlangraphError(
    "missing_key",
    `The service "${service}" needs the environment variable ${env} for its ${type} authorization; it is not set.`,
  );
}

/** The secret of the person for whom the run works. What the source throws is told without its words: they may hold it. */
async function fetchedFor(
  service: string,
  { env: name, optional }: Auth,
  sources: CredentialSources,
  place: Omit<PlaceOfCall, "holder">,
): Promise<string> {
  const what = `credential ${name} of the service "${service}"`;
  const secret: unknown = await fetched(
    `the ${what}`,
    async () => sources[name]?.({ service, name, ...place }),
    place.signal,
  );
  if (typeof secret === "string" && secret.trim() !== "") return secret.trim();
  if (optional === true) return "";
  throw missing(`is no ${what}`);
}

/** What a source gives. The error of one that fails tells nothing of what it said. */
export async function fetched<T>(
  what: string,
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await untilAborted(ask, signal);
  } catch (error) {
    signal.throwIfAborted();
    const { kind } = classifyError(error);
    const message = `${what} could not be fetched, so nothing was sent.`;
    throw new ClassifiedError(isPassing(kind) ? kind : "missing_credential", message);
  }
}

/** The error of a call for a person without a credential. */
export function missing(what: string): ClassifiedError {
  const message = `there ${what} for this user, so nothing was sent. The user must sign in to it first.`;
  return new ClassifiedError("missing_credential", message);
}

/** The part of a run's config that says for whom a call works. */
export type CallerConfig = Pick<RunnableConfig, "configurable"> & { readonly context?: unknown };

/** What is known of the person for whom a call works. */
export function callerIn(config: CallerConfig) {
  const run = parentRunOf(config);
  const { context = run?.context, configurable = {} } = config;
  return { context, configurable: withoutMarks(configurable), holder: run?.budget };
}

/** Whether a failure may pass: then a call that only reads is made again. */
function isPassing(kind: ErrorKind): boolean {
  return kind === "unavailable" || kind === "timeout" || kind === "rate_limited";
}

/** The credentials with these secrets, which are masked while they are in use. */
function kept(service: string, given: readonly Secret[], holder?: object): Credentials {
  const found = given
    .filter(({ secret }) => secret !== "")
    .map(({ auth, secret }) => {
      checkCookie(service, auth, secret);
      const token = auth.type === "basic" ? Buffer.from(secret, "utf8").toString("base64") : secret;
      return { auth, secret, token };
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
    for (const form of formsOf(secret, token, auth.type)) keepSecret(form, holder ?? credentials);
  }
  return credentials;
}

function checkCookie(service: string, { type, env }: Auth, secret: string): void {
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
