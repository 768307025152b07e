/** A request as it is sent. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** A response whose body has been read. */
export type HttpResponse = {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Where it came from, after redirects. */
  readonly url: string;
};
