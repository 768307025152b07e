import { Hono } from "hono";

import { refusalOf, senderOf } from "../request-checks.js";
import { byThreads } from "./may-see.js";
import { isPageFile, pageFile, pageRequestOf } from "./page-files.js";
import type { PageOptions } from "./page-options.js";
import { traceRoutes } from "./trace-routes.js";
import { openTraces } from "./traces.js";

/** Where another server's pages read runs, and by which names of hosts they are called. */
export type Mounted = PageOptions & {
  readonly traces?: string;
  readonly allowedHosts?: readonly string[];
};

/** The pages and what they read of runs, for LangGraph's own server to mount before its API. */
export function mountedPages({ traces, allowedHosts, components, traceLink }: Mounted): Hono {
  const pages = new Hono();
  const kept = traces === undefined ? undefined : openTraces(traces);
  pages.use("*", async ({ req, text }, next) => {
    // The API behind is not ours: it checks its callers itself.
    if (!isPageFile(req.method, req.path) && !/^\/traces(?:\/|$)/.test(req.path)) {
      await next();
      return undefined;
    }
    const refusal = refusalOf({ ...senderOf(req), isPublic: true }, { allowedHosts });
    if (refusal !== undefined) return text(refusal.message, refusal.status);
    const file = pageFile(pageRequestOf(req), components);
    if (file !== undefined) return file;
    await next();
    return undefined;
  });
  pages.get("/", (context) => context.redirect("/chat"));
  pages.route(
    "/",
    traceRoutes(
      () => kept,
      () => byThreads(),
      () => traceLink,
    ),
  );
  return pages;
}
