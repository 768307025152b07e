/** An answer that ends a request, in the form that Hono reads. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "HttpError";
    this.status = status;
  }

  getResponse(): Response {
    return new Response(this.message, { status: this.status });
  }
}

/** The error for what is not there, or is not to be seen. */
export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} not found`);
}
