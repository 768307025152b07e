import type { HttpResponse } from "./http/http-request.js";

/** A status that says that a service did not do what it was asked, with what it tells: sorted by it, `Retry-After` included. */
export class StatusError extends Error {
  readonly status: number;
  readonly headers: HttpResponse["headers"];

  constructor({ status, headers }: HttpResponse, told: string | undefined) {
    super(`the service answered with status ${status}${told === undefined ? "." : `: ${told}`}`);
    this.name = "StatusError";
    this.status = status;
    this.headers = headers;
  }
}
