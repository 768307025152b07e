import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { Thread as SdkThread } from "@langchain/langgraph-sdk";
import { z } from "zod";

import type { CreateServerOptions, CreateWorkerOptions } from "../../src/server/index.js";
import {
  type ChatRequest,
  type ServerAnswer,
  startScriptedServer,
} from "../../src/testing/index.js";
import { fillFolder } from "./embedded-folder.js";
import { type ServerProcess, startServerProcess } from "./plangraph-server.js";
import { calling } from "./served.js";

const place = fileURLToPath(new URL("worked-graphs.ts", import.meta.url));

/** How often a run looks before it pays. */
export const looks = 6;

/** When a request to the model began and ended, in milliseconds since the epoch. */
type AskedModel = { readonly began: number; readonly ended: number };

/** Servers and workers of one database, and the model that they ask. */
export type Worked = {
  readonly server: (options?: Partial<CreateServerOptions>) => Promise<ServerProcess>;
  readonly worker: (options?: Partial<CreateWorkerOptions>) => Promise<ServerProcess>;
  /** What the tools noted. */
  readonly calls: () => Promise<readonly string[]>;
  /** What the model was asked. */
  readonly asked: readonly AskedModel[];
  readonly folder: string;
  /** What a process needs to ask the same model. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

type WorkedOptions = {
  readonly database?: string;
  readonly leaseMs: number;
  readonly slots?: number;
  /** How long the model takes for an answer; default: no time. */
  readonly modelMs?: number;
  /** Graphs besides `worker`, as places. */
  readonly graphs?: Readonly<Record<string, string>>;
  /** What the processes of workers are told besides. */
  readonly workerEnvironment?: Readonly<Record<string, string>>;
};

const Asked = z.object({
  value: z.object({ action_requests: z.tuple([z.object({ id: z.string() })]) }),
});

/** A decision on the one call that a thread waits with. */
export function decisionOf({ interrupts }: Pick<SdkThread, "interrupts">, decision: object) {
  const [asked] = Object.values(interrupts).flat();
  const [{ id }] = Asked.parse(asked).value.action_requests;
  return { command: { resume: { decisions: [{ ...decision, id }] } } };
}

/** The approval of that call. */
export function approvalOf(thread: Pick<SdkThread, "interrupts">) {
  return decisionOf(thread, { type: "approve" });
}

/** Prepares processes that serve `worker` of worked-graphs.ts. */
export async function openWorked({
  database,
  leaseMs,
  slots = 10,
  modelMs = 0,
  graphs = {},
  workerEnvironment = {},
}: WorkedOptions): Promise<Worked> {
  const folder = await mkdtemp(join(tmpdir(), "plangraph-worked-"));
  if (database === undefined) await fillFolder(join(folder, "data"));
  const asked: AskedModel[] = [];
  const model = await startScriptedServer({
    replies: async (request) => {
      const began = Date.now();
      await sleep(modelMs);
      asked.push({ began, ended: Date.now() });
      return replyTo(request);
    },
  });
  const started: ServerProcess[] = [];
  const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url };
  const common = {
    graphs: { worker: `${place}:worker`, ...graphs },
    cwd: folder,
    leaseMs,
    environment,
  };
  const keep = async (starting: Promise<ServerProcess>) => {
    const process = await starting;
    started.push(process);
    return process;
  };
  return {
    asked,
    folder,
    environment,
    server: ({ graphs: _given, ...options } = {}) =>
      keep(
        startServerProcess({
          ...common,
          kind: "server",
          ...(database === undefined ? { data: join(folder, "data"), slots } : { database }),
          ...options,
        }),
      ),
    worker: ({ graphs: _given, ...options } = {}) =>
      keep(
        startServerProcess({
          ...common,
          kind: "worker",
          environment: { ...common.environment, ...workerEnvironment },
          database: database ?? "",
          slots,
          ...options,
        }),
      ),
    calls: () =>
      readFile(join(folder, "calls.log"), "utf8").then(
        (text) => text.trimEnd().split("\n"),
        () => [],
      ),
    close: async () => {
      await Promise.all(started.map((process) => process.kill()));
      await model.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What the model says next, from the conversation alone: whichever process asks. */
function replyTo({ messages }: ChatRequest): ServerAnswer {
  const question = textOf(messages.findLast(({ role }) => role === "user")?.content);
  const at = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(at).filter(({ role }) => role === "tool").length;
  const [verb = "", thread = ""] = question.split(" ");
  if (verb === "peek") return results === 0 ? calling("peek", {}) : { text: "peeked" };
  if (verb === "refund") {
    return results === 0 ? calling("refund", { thread }) : { text: "refunded" };
  }
  if (results < looks) return calling("look", { thread, step: results });
  return results === looks ? calling("pay", { thread }) : { text: `done ${thread}` };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = z.array(z.object({ text: z.string() })).safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text).join("") : "";
}
