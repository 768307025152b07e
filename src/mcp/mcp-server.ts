import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { errorText } from "../observe/redact.js";
import { checkNames, invalidOption, type NamesOf } from "../run/check-names.js";
import { compiledGraph } from "../runtime/compile-graph.js";
import { type CallExtra, elicitationOf } from "./ask-client.js";
import { reportProgress } from "./progress.js";
import { runGraph, type StreamedGraph } from "./run-graph.js";
import { loadServerSdk, type ServerSdk } from "./sdk.js";

/** A graph that is served as a tool. */
export type ServedGraph = {
  /** A graph of plangraph. To ask people in the middle of a run it needs a checkpointer. */
  readonly graph: StreamedGraph;
  /** What it is good for, for the model that calls it. */
  readonly description: string;
};

/** What is served. */
export type McpServerOptions = {
  /** The graphs by the name of their tool: letters, digits, `_`, `-` and `.`. */
  readonly graphs: { readonly [name: string]: ServedGraph };
  /** The name of the server; default "plangraph". */
  readonly name?: string;
  /** Its version; default "1". */
  readonly version?: string;
};

const names: NamesOf<McpServerOptions> = { graphs: true, name: true, version: true };

/**
 * Makes an MCP server of graphs, to be connected to a transport of the SDK. Each graph is a tool with the input
 * `{ question }`; a call is a run, and its result has the answer as text and the outcome in `structuredContent`. Throws
 * `invalid_option` for names that are none, `not_a_plangraph` for other graphs, `missing_package` without
 * `@modelcontextprotocol/sdk`.
 */
export async function createMcpServer(options: McpServerOptions): Promise<Server> {
  checkNames("createMcpServer", options, names);
  checkGraphs(options.graphs);
  return newServer(options, await loadServerSdk());
}

const toolName = /^[\w.-]{1,64}$/;

/** Throws for graphs that cannot be served. */
export function checkGraphs(graphs: McpServerOptions["graphs"]): void {
  const entries = Object.entries(graphs);
  if (entries.length === 0) throw invalidOption("graphs: expected a graph by name, got none.");
  for (const [name, { graph, description }] of entries) {
    if (!toolName.test(name)) {
      throw invalidOption(
        `graphs: "${name}": expected a name of up to 64 letters, digits, "_", "-" and ".".`,
      );
    }
    if (typeof description !== "string" || description.trim() === "") {
      throw invalidOption(`graphs.${name}.description: expected a text for the calling model.`);
    }
    if (compiledGraph(graph) !== undefined) continue;
    throw new PlangraphError(
      "not_a_plangraph",
      `graphs.${name}: expected a graph of plangraph, such as createReactGraph(…) gives.`,
    );
  }
}

/** A server for one connection. */
export function newServer(
  { graphs, name = "plangraph", version = "1" }: McpServerOptions,
  { Server: ServerClass, types }: ServerSdk,
): Server {
  const server = new ServerClass({ name, version }, { capabilities: { tools: {} } });
  const tools = Object.entries(graphs).map(toolOf);
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }, extra) => {
    const served = Object.hasOwn(graphs, params.name) ? graphs[params.name] : undefined;
    if (served === undefined) {
      const message = `there is no tool "${params.name}", only ${Object.keys(graphs).join(", ")}.`;
      throw new types.McpError(types.ErrorCode.InvalidParams, message);
    }
    const elicits = elicitationOf(server.getClientCapabilities());
    return answered(params.name, served, params.arguments, { extra, elicits, types });
  });
  return server;
}

const Input = z.object({ question: z.string().trim().min(1) });

function toolOf([name, { description }]: readonly [string, ServedGraph]): Tool {
  const question = { type: "string", description: "The question or task, complete in itself." };
  return {
    name,
    description,
    inputSchema: { type: "object", properties: { question }, required: ["question"] },
    outputSchema: {
      type: "object",
      properties: {
        answer: { type: "string" },
        outcome: {
          type: "object",
          properties: { status: { type: "string" }, reason: { type: "string" } },
          required: ["status"],
        },
      },
      required: ["outcome"],
    },
  };
}

type Around = Pick<ServerSdk, "types"> & {
  readonly extra: CallExtra;
  readonly elicits: boolean;
};

async function answered(
  name: string,
  { graph }: ServedGraph,
  given: unknown,
  { extra, elicits, types }: Around,
): Promise<CallToolResult> {
  const input = Input.safeParse(given);
  if (!input.success) return failed('"question": expected a text that is not empty.');
  try {
    const onEvent = reportProgress(extra);
    const form = types.ElicitRequestFormParamsSchema.shape.requestedSchema;
    const client = { extra, elicits, schema: types.ElicitResultSchema, form };
    const { ok, text, structured } = await runGraph(name, graph, input.data.question, {
      client,
      onEvent,
    });
    const content = [{ type: "text" as const, text }];
    return { content, structuredContent: structured, ...(ok ? {} : { isError: true }) };
  } catch (error) {
    return failed(errorText(error));
  }
}

function failed(reason: string): CallToolResult {
  const content = [{ type: "text" as const, text: `Error: ${reason}` }];
  return { content, structuredContent: { outcome: { status: "failed", reason } }, isError: true };
}
