import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { onTestFinished } from "vitest";

import { createReactGraph, type PersonRequests } from "../../src/index.js";
import { mcpTools, type McpOptions } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import type { Asking } from "./mcp-asking.js";
import { startAskingHttp } from "./mcp-asking-http.js";

type Call = { readonly id?: string; readonly name: string; readonly args: Record<string, unknown> };

/** A server whose tools ask, with its tools and what it noted. */
export async function shop(how: Asking = "of-call", options: McpOptions = {}) {
  const { url, notes } = await startAskingHttp(how);
  const { tools, close } = await mcpTools({ shop: { url } }, options);
  onTestFinished(close);
  return { url, tools, notes: () => notes.map((line) => line.replace("nobody: ", "")) };
}

export type Shop = Awaited<ReturnType<typeof shop>>;

/** An agent that makes these calls in one turn. */
export function agentOf({ tools }: Pick<Shop, "tools">, calls: readonly Call[], more: object = {}) {
  const models = scriptedModel([{ toolCalls: [...calls] }, "Done."]);
  return createReactGraph({ models, tools, checkpointer: new MemorySaver(), ...more });
}

export const ask = { messages: [{ role: "user" as const, content: "Order tea." }] };
export const thread = { configurable: { thread_id: "t" } };
export const order = { id: "o", name: "order", args: { item: "tea" } };
export const words = (message: string) => ({ type: "respond" as const, message });
export const resume = (...decisions: readonly object[]) => new Command({ resume: { decisions } });

/** What a paused run asks people. */
export function askedIn(result: object) {
  const found = isInterrupted<PersonRequests>(result) ? result[INTERRUPT] : [];
  return found.flatMap(({ value }) => value?.action_requests ?? []);
}
