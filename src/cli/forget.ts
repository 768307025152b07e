import { existsSync } from "node:fs";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { invalidOption } from "../run/check-names.js";
import { forgetFacts } from "../runtime/facts.js";
import { openThreads } from "./checkpoint.js";
import type { DatabasePlace } from "../server/index.js";
import { placeOrDefault, Places, tracesIn } from "./database-place.js";
import type { CliIo } from "./io.js";
import { count } from "./view/event-lines.js";

const Given = Places.extend({
  user: z.string().optional(),
  tenant: z.string().optional(),
  thread: z.string().optional(),
  checkpoint: z.string().optional(),
  trace: z.string().optional(),
  namespace: z.array(z.string()).default([]),
});
type Given = z.infer<typeof Given>;

/** Deletes what is kept of a user or of a thread, place by place. Throws for unusable flags, files and databases. */
export async function forgetCommand(options: unknown, io: CliIo): Promise<void> {
  const given = Given.parse(options);
  const place = placeOrDefault(given, io.environment);
  checkWhose(given);
  checkPlaces(given, place);
  const said = (where: string, what: string) => void io.stdout.write(`${where}: ${what}.\n`);
  const { checkpoint, thread } = given;
  const trace = given.trace ?? ownTraces(place);
  const threads = thread === undefined ? [] : [thread];
  if (place !== undefined) {
    const found = await ofDatabase(place, given);
    if (thread === undefined) threads.push(...found.threads);
    const where = "data" in place ? place.data : "the database";
    said(where, forgotten(found.threads.length, given));
    for (const { namespace, items } of found.left) said(where, leftText(namespace, items));
  }
  if (checkpoint !== undefined) said(checkpoint, await ofFile(checkpoint, given));
  if (trace !== undefined) said(trace, await ofTraces(trace, threads));
}

/** The file in which a server with a folder has kept its runs, if it has. */
function ownTraces(place: DatabasePlace | undefined): string | undefined {
  if (place === undefined || !("data" in place)) return undefined;
  const file = tracesIn(place.data);
  return existsSync(file) ? file : undefined;
}

function checkPlaces({ user, checkpoint, trace }: Given, place: DatabasePlace | undefined): void {
  if (place !== undefined || checkpoint !== undefined) return;
  if (trace === undefined) {
    throw invalidOption(
      "forget needs --database, --data, --checkpoint or --trace: where it is kept.",
    );
  }
  if (user === undefined) return;
  throw invalidOption(
    "--trace says no users: expected --thread, or the database that knows the threads of the user.",
  );
}

async function ofDatabase(place: DatabasePlace, given: Given) {
  const { user, tenant, thread = "", namespace } = given;
  const { forgetData } = await import("../server/index.js");
  const namespaces = namespace.map((text) => text.split("/"));
  const ofUser = { ...defined({ tenant }), namespaces };
  return forgetData(place, user === undefined ? { thread } : { user, ...ofUser });
}

/** What is not deleted, because nothing says whose it is. */
function leftText(namespace: readonly string[], items: number): string {
  const name = namespace.join("/");
  return `${count(items, "item")} of the store left in ${name}; if they are the user's: --namespace "${name}"`;
}

function checkWhose({ user, tenant, thread, namespace }: Given): void {
  if ((user === undefined) === (thread === undefined)) {
    throw invalidOption("forget: expected either --user or --thread.");
  }
  if (user !== undefined) return;
  if (tenant !== undefined) throw invalidOption("--tenant: expected --user with it.");
  if (namespace.length > 0) throw invalidOption("--namespace: expected --user with it.");
}

function forgotten(threads: number, { user }: Given): string {
  return `${count(threads, "thread")}${user === undefined ? "" : " and what the user told"} deleted`;
}

async function ofFile(file: string, { user, tenant, thread }: Given): Promise<string> {
  if (user !== undefined) {
    const { openStore } = await import("../sqlite/index.js");
    const store = await openStore(file);
    try {
      await forgetFacts(store, { user, ...defined({ tenant }) });
    } finally {
      store.close();
    }
    return "what the user told deleted; it does not say whose its threads are: name them with --thread";
  }
  const { saver, close } = await openThreads(file);
  try {
    await saver.deleteThread(thread ?? "");
    return "the thread deleted";
  } finally {
    close();
  }
}

async function ofTraces(file: string, threads: readonly string[]): Promise<string> {
  const { TraceFile } = await import("../tracing/index.js");
  const traces = await TraceFile.open(file);
  try {
    const runs = traces.onThreads(threads);
    traces.remove(runs);
    traces.shrink();
    return `${count(runs.length, "run")} deleted`;
  } catch (error) {
    throw new PlangraphError("unreadable_file", `${file}: its runs could not be deleted.`, {
      cause: error,
    });
  } finally {
    traces.close();
  }
}
