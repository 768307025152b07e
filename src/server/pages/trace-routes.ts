import { type Context, Hono } from "hono";
import { z } from "zod";

import { PlangraphError } from "../../errors.js";
import { defined } from "../../json/json.js";
import {
  replayTest,
  type TracedRun,
  type TraceFile,
  traceStatuses,
  workflowText,
} from "../../tracing/index.js";
import { healthIn, mostRuns, type Traces } from "./traces.js";

/** Whether who asks may see a run, by the thread that it is on. */
export type MaySee = (request: Request, threadId: string | undefined) => Promise<boolean>;

const Time = z.coerce.number().int().nonnegative().optional();
const Listed = z.object({
  thread: z.string().optional(),
  status: z.enum(traceStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: Time,
  since: Time,
});
const Mark = z.object({
  verdict: z.enum(["good", "bad", "none"]),
  why: z.string().max(2_000).optional(),
});

/**
 * What a server keeps of its runs: `/traces` lists them, `/traces/health` has figures, `/traces/RUN` a run with its events,
 * its plan as a workflow, and itself as a test; `/traces/RUN/mark` takes a judgement. Nobody is told of others' runs.
 */
export function traceRoutes(traces: () => Traces | undefined, maySee: MaySee): Hono {
  const routes = new Hono();
  const { opened, visible, found } = readersOf(traces, maySee);
  routes.get("/traces", async (context) => {
    const file = await opened();
    const filter = Listed.parse(context.req.query());
    return context.json({ runs: await visible(context, file.runs(filter)) });
  });
  routes.get("/traces/health", async (context) => {
    const file = await opened();
    const { limit: _limit, ...filter } = Listed.parse(context.req.query());
    const runs = await visible(context, file.runs({ ...filter, limit: mostRuns }));
    return context.json({ ...healthIn(file, runs), isWhole: runs.length < mostRuns });
  });
  routes.get("/traces/:run", async (context) => {
    const { file, run } = await found(context);
    return context.json({ run, events: file.events(run.id) });
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
function readersOf(traces: () => Traces | undefined, maySee: MaySee) {
  const opened = async () => {
    const kept = traces();
    if (kept !== undefined) return kept.file();
    throw new PlangraphError("unreadable_file", noTraces);
  };
  const visible = async ({ req }: Context, runs: readonly TracedRun[]) => {
    const threads = [...new Set(runs.map(({ threadId }) => threadId))];
    const seen = await Promise.all(threads.map((thread) => maySee(req.raw, thread)));
    return runs.filter(({ threadId }) => seen[threads.indexOf(threadId)] === true);
  };
  const found = async (context: Context) => {
    const id = context.req.param("run") ?? "";
    const file = await opened();
    const run = file.find(id);
    const [shown] = run === undefined ? [] : await visible(context, [run]);
    if (shown === undefined) throw new NoRun(`There is no run "${id}".`);
    return { file, run: shown };
  };
  return { opened, visible, found };
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
