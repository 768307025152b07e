import type { IncomingHttpHeaders } from "node:http";

const secret = /^(?:authorization|cookie|.*api-key|.*token)$/;

/** Headers for the record, with what must not be printed replaced by `***` (the scheme of `authorization` stays). */
export function maskedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = ""]) => {
      const text = typeof value === "string" ? value : value.join(", ");
      return [name, secret.test(name) ? masked(text) : text];
    }),
  );
}

function masked(text: string): string {
  const scheme = /^(\w+) /.exec(text)?.[1];
  return scheme === undefined ? "***" : `${scheme} ***`;
}
