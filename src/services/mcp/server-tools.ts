import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { CallToolResult, Progress, Tool } from "@modelcontextprotocol/sdk/types.js";

import { defined, type JsonObject } from "../../json/json.js";
import { rejected } from "../../run/errors.js";
import { parentRunOf } from "../../run/scope.js";
import { withMarks } from "../../tools/policy.js";
import { type AskingCall, openAskingCall, type PlaceOfCall } from "./ask-person.js";
import { askServer } from "./ask-server.js";
import type { McpSdk } from "./connect.js";
import type { ConnectionOf } from "./connections.js";
import { mcpContent, structuredContent } from "./content.js";
import { inlineReferences } from "./inline-references.js";

/** The server that the tools are of. */
type ServerPlace = Omit<PlaceOfCall, "tool">;

/** A list that never ends is no list. */
const maxPages = 1_000;

/** The tools of a server, as it names them; their annotations are in `metadata`. */
export async function serverTools(
  connectionOf: ConnectionOf,
  sdk: McpSdk,
  place: ServerPlace,
): Promise<DynamicStructuredTool[]> {
  const connection = await connectionOf();
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const request = { method: "tools/list" as const, params: defined({ cursor }) };
    const list = await connection.use((client) =>
      client.request(request, sdk.types.ListToolsResultSchema),
    );
    tools.push(...list.tools);
    cursor = list.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.map((tool) => serverTool(tool, connectionOf, sdk, place));
}

function serverTool(
  { name, description = "", inputSchema, annotations }: Tool,
  connectionOf: ConnectionOf,
  sdk: McpSdk,
  place: ServerPlace,
): DynamicStructuredTool {
  const made: DynamicStructuredTool = new DynamicStructuredTool({
    name,
    description,
    schema: toJsonSchema(inlineReferences({ properties: {}, ...inputSchema })),
    responseFormat: "content_and_artifact",
    metadata: { annotations, mcp: { server: place.server, tool: name } },
    func: async (args: JsonObject, _: unknown, config: RunnableConfig = {}) => {
      const request = { method: "tools/call" as const, params: { name, arguments: args } };
      const schema = sdk.types.CallToolResultSchema;
      const connection = await connectionOf(config);
      const asking = await openAskingCall({ ...place, tool: made.name }, config);
      const send = ({ signal, elicited }: Pick<AskingCall, "signal" | "elicited">) =>
        askServer(connection, (client, options) => client.request(request, schema, options), {
          signal,
          elicited,
          onProgress: progressOf(made.name, config),
        });
      return askedOn(asking, send, config);
    },
  });
  return withMarks(made, { elicits: true });
}

/** The result of a call; nothing while people are asked. */
async function askedOn(
  asking: AskingCall,
  send: (asking: AskingCall) => Promise<CallToolResult>,
  { signal }: RunnableConfig,
) {
  try {
    const result = asking.waits()
      ? undefined
      : await send(asking).catch((error: unknown) => {
          signal?.throwIfAborted();
          if (!asking.waits()) throw error;
        });
    if (result === undefined || asking.waits()) {
      asking.ask();
      return ["", undefined];
    }
    return readResult(result, [...asking.notes]);
  } finally {
    asking.close();
  }
}

/** Content for the model, and the structured content as the value. Throws what the server says if the call failed. */
function readResult(
  { content, structuredContent: data, isError }: CallToolResult,
  notes: readonly string[],
) {
  const said = notes.map((text) => ({ type: "text", text }));
  const read = mcpContent([...content, ...said], undefined);
  if (isError === true) throw rejected(textIn(read));
  const isEmpty = read === "" && data !== undefined;
  return [isEmpty ? JSON.stringify(data) : read, structuredContent(data)];
}

function textIn(content: unknown): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return text === "" ? "the server reports an error and says nothing about it." : text;
}

/** Characters of a server's words in an event. */
const maxWords = 400;

/** Milliseconds between two events of a call: a server may report every file that it reads. */
const pauseMs = 250;

/** Reports how far a call is as events of its run; nothing where nobody sees them. */
function progressOf(tool: string, config: RunnableConfig) {
  const { emit, of } = parentRunOf(config) ?? {};
  if (emit === undefined) return undefined;
  let last = -Infinity;
  return ({ message, progress, total }: Progress) => {
    const now = performance.now();
    if (now - last < pauseMs && progress !== total) return;
    last = now;
    const text = [message?.slice(0, maxWords), amount(progress, total)].filter(Boolean).join(" ");
    emit({
      type: "progress",
      tool,
      progress,
      ...defined({ callId: of?.callId, total }),
      content: { text },
    });
  };
}

function amount(progress: number, total: number | undefined): string {
  return total === undefined ? `(${progress})` : `(${progress} of ${total})`;
}
