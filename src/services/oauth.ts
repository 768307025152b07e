import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { parsedJson } from "../json/json.js";
import type { Environment } from "../models/model.js";
import { keepSecret } from "../observe/redact.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { ClassifiedError } from "../run/errors.js";
import type { CredentialRequest, CredentialSource } from "./credentials.js";
import { guardedRequest } from "./http/guarded-request.js";

/** How access tokens are fetched. */
export type OAuthOptions = {
  /** The token endpoint of the authorization server. */
  readonly tokenUrl: string;
  /** The environment variable with the id of this program. */
  readonly clientId: string;
  /** The environment variable with its secret; without it the program is a public client. */
  readonly clientSecret?: string;
  readonly scope?: string;
  /** Further fields of the request, such as `audience`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Default: `process.env`. */
  readonly environment?: Environment;
  /** Hosts that may have private addresses, as in services. */
  readonly allowHosts?: readonly string[];
};

/** How the tokens of a person are refreshed. */
export type OAuthRefreshOptions = OAuthOptions & {
  /** Gives the refresh token of the person, and whose it is; nothing where the person has not signed in. */
  readonly load: (
    request: CredentialRequest,
  ) => Promise<{ readonly owner: string; readonly refreshToken: string } | undefined>;
  /** Keeps the refresh token that replaces the old one. */
  readonly save?: (owner: string, refreshToken: string) => Promise<void>;
};

const names: NamesOf<OAuthOptions> = {
  tokenUrl: true,
  clientId: true,
  clientSecret: true,
  scope: true,
  fields: true,
  environment: true,
  allowHosts: true,
};

/**
 * Credentials of this program itself: RFC 6749, section 4.4. The access token is fetched with the first call, and again
 * before it expires. Throws `invalid_option` for options that cannot work, `missing_key` for a variable that is not set.
 */
export function clientCredentials(options: OAuthOptions): CredentialSource {
  checkNames("clientCredentials", options, names);
  const client = clientOf("clientCredentials", options);
  const tokens = new Tokens();
  return async () =>
    tokens.get("", async () => fetchToken(client, { grant_type: "client_credentials" }));
}

/**
 * Credentials of the person for whom a run works: access tokens by a refresh token, RFC 6749, section 6. They are kept in
 * memory by their owner, and fetched again before they expire.
 */
export function refreshedCredentials(options: OAuthRefreshOptions): CredentialSource {
  checkNames("refreshedCredentials", options, { ...names, load: true, save: true });
  const client = clientOf("refreshedCredentials", options);
  const { load, save } = options;
  if (typeof load !== "function") {
    throw invalidOption(`refreshedCredentials: load: expected a function, got ${shown(load)}.`);
  }
  const tokens = new Tokens();
  return async (request) => {
    const known = await load(request);
    if (known === undefined) return undefined;
    const { owner, refreshToken } = known;
    return tokens.get(owner, async () => {
      const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
      const fetched = await fetchToken(client, fields);
      const { refresh_token: next } = fetched;
      if (next !== undefined && next !== refreshToken) await save?.(owner, next);
      return fetched;
    });
  };
}

type Client = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly allowHosts: readonly string[];
};

function clientOf(where: string, options: OAuthOptions): Client {
  const { tokenUrl, clientId, clientSecret, scope, fields = {}, allowHosts = [] } = options;
  const { environment = process.env } = options;
  if (typeof tokenUrl !== "string" || !URL.canParse(tokenUrl)) {
    throw invalidOption(`${where}: tokenUrl: expected a web address, got ${shown(tokenUrl)}.`);
  }
  const client = {
    url: tokenUrl,
    fields: {
      ...fields,
      client_id: variable(where, clientId, environment),
      ...(clientSecret === undefined
        ? {}
        : { client_secret: variable(where, clientSecret, environment) }),
      ...(scope === undefined ? {} : { scope }),
    },
    allowHosts,
  };
  if (clientSecret !== undefined) keepSecret(environment[clientSecret] ?? "", client);
  return client;
}

function variable(where: string, name: unknown, environment: Environment): string {
  if (typeof name !== "string") {
    throw invalidOption(
      `${where}: expected the name of an environment variable, got ${shown(name)}.`,
    );
  }
  const value = environment[name]?.trim() ?? "";
  if (value !== "") return value;
  throw new PlangraphError("missing_key", `${where}: the environment variable ${name} is not set.`);
}

const Token = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
});
type Token = z.output<typeof Token>;

const timeoutMs = 30_000;

/** Fetches a token. What the server says is not told: it may repeat a secret. */
async function fetchToken(
  { url, fields, allowHosts }: Client,
  grant: Readonly<Record<string, string>>,
): Promise<Token> {
  // Other calls may wait for it: the one that began it does not end it.
  const signal = AbortSignal.timeout(timeoutMs);
  const { status, text } = await guardedRequest(
    {
      method: "POST",
      url,
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ ...fields, ...grant }).toString(),
    },
    { allowHosts, maxBytes: 100_000, secretHeaders: [], signal },
  );
  const { data } = Token.safeParse(parsedJson(text));
  if (status >= 200 && status < 300 && data !== undefined) return data;
  const kind = status >= 500 ? "unavailable" : status === 429 ? "rate_limited" : "unauthorized";
  throw new ClassifiedError(kind, `the authorization server answered with status ${status}.`);
}

/** An access token counts as expired so long before it is: a call takes time, and clocks differ. */
const marginMs = 30_000;

/** Where a server does not say how long a token is valid. */
const defaultSeconds = 300;

/** Access tokens by their owner. Calls at one time wait for one request. */
class Tokens {
  readonly #known = new Map<string, { readonly token: Promise<Token>; until: number }>();

  async get(owner: string, fetchOne: () => Promise<Token>): Promise<string> {
    const now = Date.now();
    const known = this.#known.get(owner);
    if (known !== undefined && now < known.until) return (await known.token).access_token;
    const entry = { token: fetchOne(), until: Infinity };
    this.#known.set(owner, entry);
    try {
      const { access_token: token, expires_in: seconds = defaultSeconds } = await entry.token;
      entry.until = now + seconds * 1_000 - marginMs;
      return token;
    } catch (error) {
      // The next call tries again.
      if (this.#known.get(owner) === entry) this.#known.delete(owner);
      throw error;
    }
  }
}
