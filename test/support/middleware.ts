import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { type Middleware, withPolicy } from "../../src/index.js";

export const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
export const question = ask("What does tea cost?");

/** A tool that counts its runs. */
export function priceTool() {
  const runs: string[] = [];
  const price = tool(
    ({ item }) => {
      runs.push(item);
      return `${item}: 3 euros`;
    },
    { name: "price", description: "Gives a price.", schema: z.object({ item: z.string() }) },
  );
  return { runs, price };
}
/** The tool `price`, which only reads, so that it may start early. */
export function readingTool() {
  const { price, runs } = priceTool();
  return { price: withPolicy(price, { effect: "read" }), runs };
}

export const call = (item: string, id: string) => ({
  toolCalls: [{ name: "price", args: { item }, id }],
});
export const shown = (messages: readonly BaseMessage[]) =>
  messages.map(({ type, text }) => (text === "" ? type : `${type}: ${text}`));

/** LangChain's middleware from its options: its own types do not work with `exactOptionalPropertyTypes`. */
export function made(create: (...options: never[]) => unknown, options: unknown): Middleware {
  const middleware: unknown = Reflect.apply(create, undefined, [options]);
  if (isMiddleware(middleware)) return middleware;
  throw new TypeError("not middleware");
}

function isMiddleware(value: unknown): value is Middleware {
  return typeof value === "object" && value !== null && "name" in value;
}
