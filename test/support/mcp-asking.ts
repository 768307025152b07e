import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  ElicitRequestFormParams,
  ServerNotification,
  ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Form = ElicitRequestFormParams["requestedSchema"];

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

const size: Form = {
  type: "object",
  properties: { size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] } },
  required: ["size"],
};
const count: Form = {
  type: "object",
  properties: { count: { type: "integer", minimum: 1, maximum: 9 } },
  required: ["count"],
};
const address: Form = {
  type: "object",
  properties: {
    street: { type: "string", title: "Street" },
    gift: { type: "boolean", default: false },
    floor: { type: "integer" },
  },
  required: ["street"],
};
const sure: Form = { type: "object", properties: {} };

/** How a question is sent: on the stream of its call, or without saying for which call it is. */
export type Asking = "of-call" | "of-nobody";

/** A server whose tools ask a person; `note` is told what it does and what it is answered. */
export function createAskingServer(note: (line: string) => void, how: Asking = "of-nobody") {
  const server = new McpServer({ name: "shop", version: "1" });
  const ask = async (message: string, requestedSchema: Form, extra: Extra) => {
    const params = { message, requestedSchema };
    const answer =
      how === "of-nobody"
        ? await server.server.elicitInput(params)
        : await extra.sendRequest({ method: "elicitation/create", params }, ElicitResultSchema);
    const { action, content } = answer;
    note(`${message} ${action}${content === undefined ? "" : ` ${JSON.stringify(content)}`}`);
    return answer;
  };
  /** Asks in turn until a question is not accepted; then nothing is done. */
  const asked = async (questions: readonly (readonly [string, Form])[], extra: Extra) => {
    for (const [message, form] of questions) {
      const { action } = await ask(message, form, extra);
      if (action !== "accept") return action;
    }
    return "accept";
  };
  server.registerTool("order", { inputSchema: { item: z.string() } }, async ({ item }, extra) => {
    note(`order ${item}`);
    const end = await asked(
      [
        ["Which size?", size],
        ["How many?", count],
      ],
      extra,
    );
    if (end !== "accept") return text(`Nothing was ordered: ${end}.`);
    if (item.startsWith("slow")) await sleep(500);
    note(`ordered ${item}`);
    return text(`Ordered ${item}.`);
  });
  server.registerTool(
    "find",
    {
      inputSchema: { item: z.string(), ms: z.number().optional() },
      annotations: { readOnlyHint: true },
    },
    async ({ item, ms = 0 }, extra) => {
      note(`find ${item}`);
      await sleep(ms);
      const { action, content } = await ask(`Which ${item}?`, size, extra);
      return text(`${item} ${action} ${String(content?.["size"])}`);
    },
  );
  server.registerTool("send", { annotations: { idempotentHint: true } }, async (extra) => {
    const { action, content } = await ask("Where to?", address, extra);
    return text(`${action} ${JSON.stringify(content)}`);
  });
  server.registerTool("empty", {}, async (extra) => {
    const { action } = await ask("Empty the\n\u001b[31mcart?", sure, extra);
    return text(`emptied: ${action}`);
  });
  server.registerTool("twice", { annotations: { readOnlyHint: true } }, async (extra) => {
    const first = await ask("A number?", count, extra);
    const second = first.action === "accept" ? await ask("A number?", count, extra) : first;
    return text(`${String(first.content?.["count"])} ${String(second.content?.["count"])}`);
  });
  return server;
}
