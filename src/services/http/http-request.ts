/** Gives the addresses of a host, as `dns.promises.lookup(host, { all: true })` does; a test hands in its own. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** A request as a service's definition and a call's arguments make it. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** What a request may reach, and how much it may bring. */
export type HttpOptions = {
  /** Hosts that may be private: "rooms.internal", "127.0.0.1:8080" (host with port), "10.0.0.0/8", "[fd00::]/8" … */
  readonly allowHosts: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** A longer body is refused, in bytes. */
  readonly maxBytes: number;
  /** Ends the request at every stage, with its reason. */
  readonly signal: AbortSignal;
  /** Names of headers that carry credentials besides Authorization and Cookie. */
  readonly secretHeaders?: readonly string[];
};

/** What a server answered, whatever its status. */
export type HttpResponse = {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Where the answer came from, after all redirects. */
  readonly url: string;
  /** It was read where a server led to that was asked to change something, and may have done it. */
  readonly isFollowUp?: true;
};
