import { type Context, Hono } from "hono";

import type { Auth } from "./postgres/config.js";
import type { Crons } from "./postgres/crons.js";
import { HttpError } from "./postgres/http-error.js";

/** What LangGraph's server knows of a request: the login, where callers log in. */
export type Env = { Variables: { auth?: Auth } };

/** The routes of schedules, of which LangGraph's server has only the names; the client is that of its SDK. */
export function cronRoutes(crons: () => Crons): Hono<Env> {
  const app = new Hono<Env>();
  app.post("/runs/crons", async (context) =>
    context.json(await crons().create(await bodyOf(context), undefined, context.get("auth"))),
  );
  app.post("/threads/:thread{[0-9a-fA-F-]{36}}/runs/crons", async (context) => {
    const thread = context.req.param("thread");
    return context.json(await crons().create(await bodyOf(context), thread, context.get("auth")));
  });
  app.post("/runs/crons/search", async (context) =>
    context.json(await crons().search(await bodyOf(context), context.get("auth"))),
  );
  app.post("/runs/crons/count", async (context) =>
    context.json(await crons().count(await bodyOf(context), context.get("auth"))),
  );
  app.patch("/runs/crons/:cron{[0-9a-fA-F-]{36}}", async (context) => {
    const cron = context.req.param("cron");
    return context.json(await crons().change(cron, await bodyOf(context), context.get("auth")));
  });
  app.delete("/runs/crons/:cron{[0-9a-fA-F-]{36}}", async (context) => {
    await crons().remove(context.req.param("cron"), context.get("auth"));
    return context.json({});
  });
  return app;
}

async function bodyOf({ req }: Context): Promise<unknown> {
  try {
    const body: unknown = await req.json();
    return body;
  } catch {
    throw new HttpError(422, "expected a JSON object as the body");
  }
}
