// A service that says what it was sent, for examples/request-forms.ts; beside it a photo, a list in pages and a refusal.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const told = ["content-type", "authorization", "x-key", "cookie", "accept-language"];

/** Starts the service on 127.0.0.1, on a free port. */
export async function startEcho() {
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = "", url = "" } = request;
    const { pathname, searchParams } = new URL(url, "http://echo");
    const json = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json", "x-total": "3" });
      response.end(JSON.stringify(body));
    };
    if (pathname === "/photo") return response.setHeader("content-type", "image/png").end(photo);
    if (pathname === "/refuse") return json(200, { code: 7, message: "The shop is closed." });
    if (pathname === "/pages") {
      const page = Number(searchParams.get("cursor") ?? 1);
      const item = { id: page, user: { name: `user ${page}`, secret: "not chosen" } };
      return json(200, { items: [item], next: page < 3 ? String(page + 1) : null });
    }
    const headers = told.flatMap((name) => {
      const value = String(request.headers[name] ?? "").replace(/(?<=boundary=).*/, "…");
      return value === "" ? [] : [`${name}: ${value}`];
    });
    return json(200, { sent: [`${method} ${url}`, ...headers, ...(await bodyOf(request))] });
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  return { url: `http://${host}`, host, close: () => server.close() };
}

/** A body in lines; a part of a form by its name, and a file by its name, type and size. */
async function bodyOf(request: IncomingMessage): Promise<string[]> {
  const type = request.headers["content-type"] ?? "";
  const body = new Uint8Array(await buffer(request));
  if (!type.startsWith("multipart/")) {
    return body.length === 0 ? [] : [new TextDecoder().decode(body)];
  }
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  return [...form].map(([name, value]) =>
    typeof value === "string"
      ? `${name} = ${value}`
      : `${name} = ${value.name} (${value.type}, ${value.size} bytes)`,
  );
}
