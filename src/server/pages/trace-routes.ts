import { type Context, Hono } from "hono";
import { z } from "zod";

import { PlangraphError } from "../../errors.js";
import { defined } from "../../json/json.js";
import {
  replayTest,
  type TracedRun,
  type TraceFile,
  type TraceFilter,
  traceStatuses,
  workflowText,
} from "../../tracing/index.js";
import type { MaySee } from "./may-see.js";
import { linkOf } from "./page-options.js";
import { callersIn, healthIn, mostRuns, type Traces } from "./traces.js";

const Time = z.coerce.number().int().nonnegative().optional();
const Listed = z.object({
  thread: z.string().optional(),
  status: z.enum(traceStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: Time,
  since: Time,
  called: z.string().max(200).optional(),
});
const Mark = z.object({
  verdict: z.enum(["good", "bad", "none"]),
  why: z.string().max(2_000).optional(),
});

/**
 * What a server keeps of its runs: `/traces` lists them, `/traces/health` has figures, `/traces/RUN` a run with its events,
 * its plan as a workflow, and itself as a test; `/traces/RUN/mark` takes a judgement. Nobody is told of others' runs.
 * `linked`: where another back end shows runs.
 */
export function traceRoutes(
  traces: () => Traces | undefined,
  seeing: () => MaySee,
  linked: () => string | undefined = () => undefined,
): Hono {
  const routes = new Hono();
  const { opened, visible, found } = readersOf(traces, seeing);
  routes.get("/traces", async (context) => {
    const file = await opened();
    const { called, ...filter } = Listed.parse(context.req.query());
    const { runs } = await visible(context, file, { ...filter, ...defined({ called }) });
    return context.json({ runs });
  });
  routes.get("/traces/health", async (context) => {
    const file = await opened();
    const filter = { ...Listed.omit({ called: true }).parse(context.req.query()), limit: mostRuns };
    const { runs, isWhole } = await visible(context, file, filter);
    return context.json({ ...(await healthIn(file, runs)), isWhole });
  });
  routes.get("/traces/:run", async (context) => {
    const { file, run } = await found(context);
    const link = linkOf(linked() ?? "", run);
    return context.json({ run, events: file.events(run.id), ...defined({ link }) });
  });
  routes.put("/traces/:run/mark", async (context) => {
    const { file, run } = await found(context);
    const { verdict, why } = Mark.parse(await context.req.json());
    file.mark(run.id, verdict === "none" ? undefined : { verdict, ...defined({ why }) });
    return context.json({ run: file.find(run.id) });
  });
  for (const [name, write] of exports) {
    routes.get(`/traces/:run/${name}`, async (context) => {
      const { file, run } = await found(context);
      return context.text(await write(run, file));
    });
  }
  routes.onError(answerTo);
  return routes;
}

/** How the routes read: what of a file whoever asks may see. */
function readersOf(traces: () => Traces | undefined, seeing: () => MaySee) {
  const opened = async () => {
    const kept = traces();
    if (kept !== undefined) return kept.file();
    throw new PlangraphError("unreadable_file", noTraces);
  };
  const visible = async (
    { req }: Context,
    file: TraceFile,
    { called, ...filter }: TraceFilter & { limit: number; called?: string },
  ) => {
    const maySee = seeing();
    const runs: TracedRun[] = [];
    let lookedAt = 0;
    for (const page of pagesOf(file, filter)) {
      const seen = await Promise.all(page.map((run) => maySee(req.raw, run)));
      const theirs = page.filter((_, at) => seen[at] === true);
      runs.push(...(called === undefined ? theirs : await callersIn(file, theirs, called)));
      lookedAt += theirs.length;
      const isEnough =
        runs.length >= filter.limit || (called !== undefined && lookedAt >= mostRuns);
      if (isEnough) return { runs: runs.slice(0, filter.limit), isWhole: false };
    }
    return { runs, isWhole: true };
  };
  const found = async (context: Context) => {
    const id = context.req.param("run") ?? "";
    const file = await opened();
    const run = file.find(id);
    // The beginning of an id is none here: it would tell of others' runs.
    if (run?.id !== id || !(await seeing()(context.req.raw, run))) {
      throw new NoRun(`There is no run "${id}".`);
    }
    return { file, run };
  };
  return { opened, visible, found };
}

/** How many runs are looked at together. */
const pageSize = 50;

/** The runs of a file, the newest first, as long as there are any. */
function* pagesOf(file: TraceFile, filter: TraceFilter): Generator<readonly TracedRun[]> {
  for (let offset = 0; ; offset += pageSize) {
    const page = file.runs({ ...filter, offset, limit: pageSize });
    yield page;
    if (page.length < pageSize) return;
  }
}

const noTraces = "This server keeps no traces: start it with --trace FILE.db.";

type Writer = (run: TracedRun, file: TraceFile) => Promise<string> | string;

const exports: readonly (readonly [name: string, write: Writer])[] = [
  ["test", (run, file) => replayTest(run, file.events(run.id))],
  ["workflow", (run, file) => workflowText(run, file.events(run.id))],
];

class NoRun extends Error {}

/** Says what is wrong with a request, and of the server nothing but that something failed. */
function answerTo(error: Error, context: Context): Response {
  if (error instanceof NoRun) return context.json({ message: error.message }, 404);
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : "expected JSON";
    return context.json({ message: `The request cannot be read: ${why}` }, 422);
  }
  if (!(error instanceof PlangraphError)) return context.json({ message: "Internal error" }, 500);
  const status = error.code === "unreadable_file" ? 404 : 422;
  return context.json({ message: error.message }, status);
}
