import { isSameSecret } from "../platform.js";

/** Who may call a server. */
export type Callers = {
  /** What clients must send as a bearer token; none without one. */
  readonly token?: string | undefined;
  /** Names of hosts, besides those of this machine, by which clients may call the server. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call the server, besides its own: `https://chat.example`. */
  readonly allowOrigins?: readonly string[] | undefined;
};

/** What a request says of itself. */
export type Request = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** A browser asks whether it may send a token before it sends it, and a page before it has one. */
  readonly isPublic: boolean;
};

/** The headers of a request by their names. */
export type Headed = { header(name: string): string | undefined };

/** What the headers of a request say of who sent it. */
export function senderOf(request: Headed): Omit<Request, "isPublic"> {
  return {
    host: request.header("host"),
    origin: request.header("origin"),
    authorization: request.header("authorization"),
  };
}

/** Why a request is refused. */
export type Refusal = { readonly status: 401 | 403; readonly message: string };

const localNames = ["localhost", "127.0.0.1", "[::1]"];

/** Why a request is refused before it is read; nothing if it is not. */
export function refusalOf(
  { host = "", origin, authorization = "", isPublic }: Request,
  { token, allowedHosts = [], allowOrigins = [] }: Callers,
): Refusal | undefined {
  const names = new Set([...localNames, ...allowedHosts]);
  const origins = new Set([undefined, ...allowOrigins]);
  const isFree = token === undefined || isPublic;
  const refusals: readonly (readonly [applies: boolean, refusal: Refusal])[] = [
    // A page of the web may call this machine by a name of its own that leads here.
    [!names.has(partsOf(`http://${host}`).hostname), { status: 403, message: "Forbidden host" }],
    [
      !origins.has(origin) && partsOf(origin).host !== host,
      { status: 403, message: "Forbidden origin" },
    ],
    [
      !isFree && !isSameSecret(authorization, `Bearer ${token}`),
      { status: 401, message: "Unauthorized" },
    ],
  ];
  return refusals.find(([applies]) => applies)?.[1];
}

function partsOf(url = ""): Pick<URL, "host" | "hostname"> {
  return URL.canParse(url) ? new URL(url) : { host: "", hostname: "" };
}
