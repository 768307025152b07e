import { ServerRefusal } from "./client.js";

/** What went wrong, as it is told. */
export type Problem = {
  readonly kind: "offline" | "token" | "forbidden" | "missing" | "busy" | "refused" | "failed";
  readonly message: string;
};

/** What went wrong, for a person. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ServerRefusal)) {
    return { kind: "offline", message: error instanceof Error ? error.message : String(error) };
  }
  const { status, message } = error;
  const kinds: Readonly<Record<number, Problem["kind"]>> = {
    401: "token",
    403: "forbidden",
    404: message === "" ? "missing" : "refused",
    409: "busy",
  };
  const isBusy = status === 422 && /busy|already running|Thread is/i.test(message);
  return {
    kind: isBusy ? "busy" : (kinds[status] ?? (status < 500 ? "refused" : "failed")),
    message,
  };
}
