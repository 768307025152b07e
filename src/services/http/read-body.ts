import type { IncomingMessage } from "node:http";

import { ClassifiedError } from "../../run/errors.js";

/**
 * The body of a response as UTF-8 text. Throws "rejected" for one that is compressed, or longer than
 * `maxBytes`: before it is read where the server tells its length, else as soon as it is.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const { "content-encoding": encoding = "identity", "content-length": length } = response.headers;
  if (!["identity", ""].includes(encoding.trim().toLowerCase())) {
    throw new ClassifiedError(
      "rejected",
      `the response is encoded as ${JSON.stringify(encoding)}, though it was asked for as it is`,
    );
  }
  if (length !== undefined && Number(length) > maxBytes) throw tooLong(maxBytes, `${length} bytes`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const read: Buffer = chunk;
    bytes += read.length;
    if (bytes > maxBytes) throw tooLong(maxBytes, "longer");
    chunks.push(read);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLong(maxBytes: number, told: string): ClassifiedError {
  return new ClassifiedError(
    "rejected",
    `the response is ${told}; at most ${maxBytes} bytes are read (maxBytes)`,
  );
}
