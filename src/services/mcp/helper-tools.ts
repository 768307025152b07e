import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

import { askServer } from "./ask-server.js";
import type { McpSdk } from "./connect.js";
import type { ConnectionOf } from "./connections.js";
import { mcpContent } from "./content.js";
import type { McpHelper } from "./server.js";

/** Entries of a list that a model reads. */
const maxEntries = 500;

/** Tools for a model that look into what a server offers besides tools; none for what it does not offer. */
export async function helperTools(
  helpers: readonly McpHelper[],
  connectionOf: ConnectionOf,
  sdk: McpSdk,
): Promise<DynamicStructuredTool[]> {
  if (helpers.length === 0) return [];
  const connection = await connectionOf();
  const offered = await connection.use((client) =>
    Promise.resolve<ServerCapabilities>(client.getServerCapabilities() ?? {}),
  );
  const made = helpers.filter((each) => offered[each] !== undefined);
  return made.flatMap((each) =>
    each === "resources" ? resourceTools(connectionOf, sdk) : promptTools(connectionOf, sdk),
  );
}

function resourceTools(connectionOf: ConnectionOf, { types }: McpSdk): DynamicStructuredTool[] {
  const list = helper(
    "list_resources",
    "Lists the resources of this server with their addresses (URIs).",
    z.object({}),
    async (_, config) => {
      const method = "resources/list";
      const { resources, nextCursor } = await askServer(
        await connectionOf(config),
        (client, options) => client.request({ method }, types.ListResourcesResultSchema, options),
        { signal: config.signal },
      );
      const lines = resources.map((resource) => ({ ...resource, type: "resource_link" }));
      return listText(
        lines.map((each) => mcpContent([each], undefined)),
        nextCursor,
      );
    },
  );
  const read = helper(
    "read_resource",
    "Reads a resource of this server.",
    z.object({ uri: z.string().describe("Its address, as list_resources gives it.") }),
    async ({ uri }, config) => {
      const request = { method: "resources/read" as const, params: { uri } };
      const { contents } = await askServer(
        await connectionOf(config),
        (client, options) => client.request(request, types.ReadResourceResultSchema, options),
        { signal: config.signal },
      );
      return mcpContent(
        contents.map((resource) => ({ type: "resource", resource })),
        undefined,
      );
    },
  );
  return [list, read];
}

function promptTools(connectionOf: ConnectionOf, { types }: McpSdk): DynamicStructuredTool[] {
  const list = helper(
    "list_prompts",
    "Lists the prompts of this server with their arguments.",
    z.object({}),
    async (_, config) => {
      const method = "prompts/list";
      const { prompts, nextCursor } = await askServer(
        await connectionOf(config),
        (client, options) => client.request({ method }, types.ListPromptsResultSchema, options),
        { signal: config.signal },
      );
      const lines = prompts.map(({ name, description, arguments: given = [] }) => {
        const parts = given.map((each) => `${each.name}${each.required === true ? "" : "?"}`);
        return `${name}(${parts.join(", ")})${description === undefined ? "" : `: ${description}`}`;
      });
      return listText(lines, nextCursor);
    },
  );
  const get = helper(
    "get_prompt",
    "Gives the text of a prompt of this server.",
    z.object({
      name: z.string(),
      arguments: z.record(z.string(), z.string()).optional(),
    }),
    async ({ name, arguments: given = {} }, config) => {
      const request = { method: "prompts/get" as const, params: { name, arguments: given } };
      const { messages } = await askServer(
        await connectionOf(config),
        (client, options) => client.request(request, types.GetPromptResultSchema, options),
        { signal: config.signal },
      );
      return mcpContent(
        messages.flatMap(({ role, content }) => [{ type: "text", text: `${role}:` }, content]),
        undefined,
      );
    },
  );
  return [list, get];
}

/** A tool that asks the server for something the protocol calls reading; its annotations say so. */
function helper<Schema extends z.ZodObject>(
  name: string,
  description: string,
  schema: Schema,
  ask: (args: z.infer<Schema>, config: RunnableConfig) => Promise<unknown>,
): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description,
    schema,
    metadata: { annotations: { readOnlyHint: true } },
    func: (args: unknown, _: unknown, config: RunnableConfig = {}) =>
      ask(schema.parse(args), config),
  });
}

function listText(lines: readonly unknown[], nextCursor: string | undefined): string {
  const shown = lines.slice(0, maxEntries).map(String);
  const isCut = lines.length > maxEntries || nextCursor !== undefined;
  if (shown.length === 0) return "There are none.";
  return [...shown, ...(isCut ? ["(There are more, which cannot be listed here.)"] : [])].join(
    "\n",
  );
}
