import { isRecord } from "../../json/json.js";

/** What a server answered in place of what was asked for. */
export class ServerRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const tokenKey = "plangraph.token";

/** Keeps the token that the server wants, until the window is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

/** Whether a token was given. */
export function hasToken(): boolean {
  return sessionStorage.getItem(tokenKey) !== null;
}

/** What a request asks for; a body is sent as JSON. */
export type Ask = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** After how long without an answer a request that only reads is given up, in milliseconds: its connection may be dead. */
const answerMs = 15_000;

/** Sends a request to the server that the page is from. Throws `ServerRefusal`, and `TypeError` without a connection. */
export async function ask(
  path: string,
  { method = "GET", body, headers, signal }: Ask = {},
): Promise<Response> {
  const token = sessionStorage.getItem(tokenKey);
  const late = new AbortController();
  const isRead = method === "GET" || path.endsWith("/search");
  const giveUp = () => late.abort(new TypeError("The server does not answer."));
  const timer = isRead ? setTimeout(giveUp, answerMs) : undefined;
  const response = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]),
  }).finally(() => clearTimeout(timer));
  if (!response.ok) throw new ServerRefusal(response.status, await reasonIn(response));
  return response;
}

/** The answer to a request, as JSON. */
export async function askJson(path: string, asked?: Ask): Promise<unknown> {
  const response = await ask(path, asked);
  const value: unknown = await response.json();
  return value;
}

/** The server's own words for a refusal. */
async function reasonIn(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  try {
    const value: unknown = JSON.parse(text);
    const said = isRecord(value)
      ? (value["message"] ?? value["detail"] ?? value["error"])
      : undefined;
    return typeof said === "string" ? said : text;
  } catch {
    return text;
  }
}
