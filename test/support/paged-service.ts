import type { ServerResponse } from "node:http";

import { type Received, serving } from "./local-server.js";
import { calledService } from "./served-service.js";
import type { ServiceChanges } from "./services.js";

/** A page of a list: what it holds, and where it says that the next one is. */
export type Page = {
  readonly items?: unknown;
  readonly next?: unknown;
  readonly link?: string;
  readonly answer?: (response: ServerResponse) => void;
};

/** Calls a service with these pages; the first has the path "/rooms", the others "/rooms?page=2" and so on. */
export async function called(
  pages: readonly Page[],
  given: ServiceChanges = {},
  elsewhere?: string,
) {
  const server = await serving((response, { path }: Received) => {
    const at = Number(/page=(\d+)/.exec(path)?.[1] ?? 1);
    const { items, next, link, answer } = pages[at - 1] ?? {};
    if (answer !== undefined) return answer(response);
    const filled = (text: string) =>
      text.replaceAll("SELF", server.url).replaceAll("OTHER", elsewhere ?? "");
    response.writeHead(200, {
      "content-type": "application/json",
      ...(link === undefined ? {} : { link: filled(link) }),
    });
    response.end(filled(JSON.stringify({ items, next })));
  });
  const definition: ServiceChanges = {
    pages: { next: "next", items: "items" },
    ...given,
    request: {
      auth: { type: "bearer", env: "ROOMS_TOKEN" },
      ...given.request,
    },
  };
  const { run } = calledService(server, definition, {
    environment: { ROOMS_TOKEN: "s3cret-of-rooms" },
  });
  const observed = await run.observe("rooms", {});
  const { content } = observed;
  const note = /^Incomplete: .*$/m.exec(content)?.[0];
  return { observed, note, asked: server.received.map(({ path }) => path), server };
}
