import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Client } from "@langchain/langgraph-sdk";
import { z } from "zod";

import {
  type RecordedRequest,
  type ServerReply,
  startScriptedServer,
} from "../../src/testing/index.js";
import { startDevServer } from "./dev-server.js";

/** The graphs of served-graphs.ts on a dev server, and the model that they ask. */
export type Served = {
  readonly client: Client;
  readonly newThread: () => Promise<string>;
  /** What the model answers from now on; `requests` and `calls` begin anew. */
  readonly script: (...replies: readonly ServerReply[]) => Promise<void>;
  /** What the model was asked since the script began. */
  readonly requests: () => readonly RecordedRequest[];
  /** What the tools noted since the script began. */
  readonly calls: () => Promise<readonly string[]>;
  /** Throws when replies are left over, or when the model was asked for more. */
  readonly assertExhausted: () => void;
  readonly close: () => Promise<void>;
};

/** Starts a dev server with the graphs of served-graphs.ts, whose model follows a script. */
export async function serveGraphs(): Promise<Served> {
  let replies: ServerReply[] = [];
  let asked = 0;
  let noted = 0;
  const model = await startScriptedServer({
    replies: (request) => {
      const reply = replies.shift();
      if (reply === undefined) throw new Error("The model was asked beyond the script.");
      return typeof reply === "function" ? reply(request) : reply;
    },
    strictPairing: true,
  });
  const place = "test/support/served-graphs.ts";
  const names = ["shop", "structured", "planned", "compiled", "carried", "staffed", "staffedPlan"];
  const server = await startDevServer(
    Object.fromEntries(names.map((name) => [name, `${place}:${name}`])),
    { OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url },
  );
  const lines = () =>
    readFile(join(server.folder, "calls.log"), "utf8").then(
      (text) => text.trimEnd().split("\n"),
      () => [],
    );
  return {
    client: server.client,
    newThread: async () => (await server.client.threads.create()).thread_id,
    script: async (...next) => {
      replies = [...next];
      asked = model.requests.length;
      noted = (await lines()).length;
    },
    requests: () => model.requests.slice(asked),
    calls: async () => (await lines()).slice(noted),
    assertExhausted: () => {
      model.assertExhausted();
      if (replies.length > 0) throw new Error(`${replies.length} replies are left over.`);
    },
    close: async () => {
      await server.close();
      await model.close();
    },
  };
}

/** The input of a run: one question. */
export function question(content: string) {
  return { messages: [{ role: "user", content }] };
}

/** A reply that calls one tool. */
export function calling(name: string, args: Readonly<Record<string, unknown>>) {
  return { toolCalls: [{ name, args, id: `${name} ${JSON.stringify(args)}` }] };
}

/** The data of every event of one kind that a stream brings. */
export async function eventsOf(
  stream: AsyncIterable<{ readonly event: string; readonly data: unknown }>,
  kind: string,
): Promise<unknown[]> {
  const data: unknown[] = [];
  for await (const event of stream) if (event.event === kind) data.push(event.data);
  return data;
}

const Event = z.object({ event: z.string(), data: z.unknown() });
const Told = z.looseObject({ type: z.string(), node: z.string() });
const Chunk = z.tuple([z.looseObject({ content: z.string() }), z.unknown()]);

/** What a stream tells: the run's events, as `node type`, and the text that it streams as chat. */
export async function heard(stream: AsyncIterable<unknown>) {
  const events: string[] = [];
  let chat = "";
  for await (const each of stream) {
    const { event, data } = Event.parse(each);
    if (event === "messages") chat += Chunk.parse(data)[0].content;
    if (event !== "custom") continue;
    const { type, node } = Told.parse(data);
    events.push(`${node} ${type}`);
  }
  return { events, chat };
}

const Values = z.object({ messages: z.array(z.object({ type: z.string(), content: z.string() })) });

/** The conversation in a result, a line a message. */
export function told(result: unknown): string[] {
  return Values.parse(result).messages.map(({ type, content }) => `${type}: ${content}`);
}
