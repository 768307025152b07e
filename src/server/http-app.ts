import { Hono } from "hono";
import { z } from "zod";

import { cronRoutes, type Env } from "./cron-routes.js";
import { keptOpen } from "./kept-open.js";
import { type Measured, metricsText } from "./metrics-text.js";
import type { Crons } from "./postgres/crons.js";
import { notFound } from "./postgres/http-error.js";
import { isPageFile, pageFile, pageRequestOf } from "./pages/page-files.js";
import { byThreads, type MaySee } from "./pages/may-see.js";
import type { PageOptions } from "./pages/page-options.js";
import { traceRoutes } from "./pages/trace-routes.js";
import { forgetThread, type Traces } from "./pages/traces.js";
import { type Callers, refusalOf, senderOf } from "./request-checks.js";

/** What stands before LangGraph's API. */
export type Front = {
  readonly callers: Callers;
  /** Resolves when requests can be served. */
  readonly ready: Promise<void>;
  /** What is read for its metrics, and whether the database has answered lately. */
  readonly measured: Measured;
  /** Its callers log in. */
  readonly hasLogins: boolean;
  /** The schedules; none in a process without the API. */
  readonly crons: Crons | undefined;
  /** What it keeps of runs, if it does. */
  readonly traces: Traces | undefined;
  readonly pages: PageOptions;
};

const Info = z.looseObject({ flags: z.looseObject({}) });

let front: Front | undefined;

/** Sets what stands before the API; LangGraph's server, of which a process has one, loads `app` by its place. */
export function setFront(given: Front): void {
  front = given;
}

/** The application that LangGraph's server mounts before its routes. */
export const app = new Hono<Env>();

// Whoever watches a process calls it by its address, and need not be let in: nothing is told.
app.get("/ok", (context) =>
  front?.measured.isWell() === true
    ? context.json({ ok: true })
    : context.json({ ok: false, message: "The database does not answer." }, 503),
);

// Where people begin, unless a mounted application answers there itself.
app.get("/", async (context, next) => {
  await next();
  const isNothing = [401, 404].includes(context.res.status);
  if (isNothing && front?.crons !== undefined) context.res = context.redirect("/chat");
});

app.use("*", async (context, next) => {
  if (front === undefined) return context.text("Starting", 503);
  const { req } = context;
  const refusal = refusalOf(
    {
      ...senderOf(req),
      isPublic: req.method === "OPTIONS" || isPageFile(req.method, req.path),
    },
    front.callers,
  );
  if (refusal !== undefined) return context.text(refusal.message, refusal.status);
  // Here, before any other route: what is let in without a token must be ours.
  const file =
    front.crons === undefined ? undefined : pageFile(pageRequestOf(req), front.pages.components);
  if (file !== undefined) return file;
  await front.ready;
  await next();
  if (req.method === "DELETE" && context.res.ok) await forgetIn(req.path);
  const kept = keptOpen(context.res);
  if (kept !== context.res) context.res = kept;
  return undefined;
});

// LangGraph's server keeps the login of whoever is first on a thread, and acts for all others with it.
for (const path of ["/threads/:thread/commands", "/threads/:thread/stream/events"]) {
  app.use(path, async (context, next) => {
    if (front?.hasLogins === true) return context.text(noSessions, 501);
    await next();
    return undefined;
  });
}

const noSessions =
  "Sessions on a thread are not served where callers log in: create runs, and stream or join them.";

let hasOwnRoutes = false;

/** Adds what LangGraph's API does not have. Call it after the routes of a given application, which come first. */
export function addOwnRoutes(): void {
  if (hasOwnRoutes) return;
  hasOwnRoutes = true;
  app.get("/metrics", async (context) => {
    const text = front === undefined ? "" : await metricsText(front.measured, context.get("auth"));
    return context.text(text, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });
  // LangGraph's server says that it has no schedules.
  app.get("/info", async (context, next) => {
    await next();
    const info = Info.parse(await context.res.json());
    const flags = { ...info.flags, crons: front?.crons !== undefined };
    context.res = context.json({ ...info, flags });
  });
  const crons = () => {
    if (front?.crons === undefined) throw notFound("Cron");
    return front.crons;
  };
  app.route("/", cronRoutes(crons));
  // A process without the API shows nothing.
  for (const path of ["/traces", "/traces/*"]) {
    app.use(path, async (context, next) => {
      if (front?.crons === undefined) return context.notFound();
      await next();
      return undefined;
    });
  }
  const seeing = () => (front?.hasLogins === true ? byThreads() : seeingAll);
  app.route(
    "/",
    traceRoutes(
      () => front?.traces,
      seeing,
      () => front?.pages.traceLink,
    ),
  );
}

const seeingAll: MaySee = () => Promise.resolve(true);

/** What was kept of a thread goes with it. */
async function forgetIn(path: string): Promise<void> {
  const [, thread] = /^\/threads\/([^/]+)$/.exec(path) ?? [];
  if (thread === undefined || front?.traces === undefined) return;
  // A file that was never written, or that others hold, must not turn a deletion into an error.
  await forgetThread(front.traces, decodeURIComponent(thread)).catch(() => {});
}
