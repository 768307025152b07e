/** An answer that ends a request, in the form that Hono reads. */
export class HttpError extends Error {
  readonly status: number;

  private readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.headers = headers;
    this.name = "HttpError";
    this.status = status;
  }

  getResponse(): Response {
    return new Response(this.message, { status: this.status, headers: this.headers });
  }
}

/** The error for what is not there, or is not to be seen. */
export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} not found`);
}
