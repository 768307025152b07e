import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

import { createMcpServer, type McpServerOptions } from "../../src/mcp/index.js";

/** How a client's user answers forms; absent: it shows none. */
export type Elicit = (message: string, form?: unknown) => ElicitResult | Promise<ElicitResult>;

/** A client of the SDK, not yet connected; `asked` are the forms that its user saw. */
export function createClient(elicit?: Elicit) {
  const asked: string[] = [];
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (elicit !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return elicit(params.message, Reflect.get(params, "requestedSchema"));
    });
  }
  onTestFinished(() => client.close());
  const call = (
    name: string,
    args: Record<string, unknown>,
    options: Parameters<Client["request"]>[2] = {},
  ): Promise<CallToolResult> =>
    client.request(
      { method: "tools/call", params: { name, arguments: args } },
      CallToolResultSchema,
      options,
    );
  return { client, call, asked };
}

/** Graphs served to a client in this process. */
export async function servedTo(options: McpServerOptions, elicit?: Elicit) {
  const made = createClient(elicit);
  const [left, right] = InMemoryTransport.createLinkedPair();
  const server = await createMcpServer(options);
  await server.connect(left);
  await made.client.connect(right);
  return made;
}

/** A client that is connected to an address. */
export async function clientAt(url: string, headers: Record<string, string> = {}, elicit?: Elicit) {
  const made = createClient(elicit);
  await made.client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return made;
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("");
}
