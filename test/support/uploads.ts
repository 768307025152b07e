import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

import { listening, type LocalServer } from "./local-server.js";

/** An image, as a service may answer with it. */
export const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What a part of a form, or a whole body, holds. */
export type Part = {
  readonly field: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Buffer;
};

/** A service that gives a photo by GET, and notes the parts of what it gets by POST. */
export async function uploading(): Promise<LocalServer & { readonly parts: readonly Part[] }> {
  const parts: Part[] = [];
  const server = createServer((request, response) => {
    const note = async () => {
      if (request.method === "GET")
        return response.setHeader("content-type", "image/png").end(photo);
      parts.push(...(await partsOf(request)));
      return response.setHeader("content-type", "application/json").end('{"id":"F1"}');
    };
    void note();
  });
  return { ...(await listening(server)), parts };
}

/** The parts of a body, as the platform reads them. */
async function partsOf(request: IncomingMessage): Promise<Part[]> {
  const { "content-type": type = "" } = request.headers;
  const bytes = await buffer(request);
  if (!type.startsWith("multipart/")) return [{ field: "", type, bytes }];
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "content-type": type },
  }).formData();
  return Promise.all(
    [...form].map(async ([field, value]) =>
      typeof value === "string"
        ? { field, bytes: Buffer.from(value) }
        : {
            field,
            filename: value.name,
            type: value.type,
            bytes: Buffer.from(await value.arrayBuffer()),
          },
    ),
  );
}
