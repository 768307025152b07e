import { z } from "zod";

const text = z.string().trim().min(1);
/** An MCP server as a file says it: a command that is started, or an address. */
const Server = z.strictObject({
  command: text.optional().describe("The command that starts it"),
  args: z
    .array(z.string())
    .optional()
    .describe("Its arguments; they may hold ${VARIABLE}, an environment variable"),
  env: z
    .array(text, "expected a list with the names of environment variables, such as [SHOP_TOKEN]")
    .optional()
    .describe("The environment variables that it gets, by name"),
  cwd: text.optional().describe("The folder in which it runs; default: that of this file"),
  url: text.optional().describe("In place of a command: its address; it may hold ${VARIABLE}"),
  headers: z
    .record(z.string().regex(/^[\w-]+$/, "expected the name of a header"), text)
    .optional()
    .describe(
      "What is sent to the address; secrets as ${VARIABLE}, what a user has as {{configurable.name}} or {{context.name}}",
    ),
  trustHints: z
    .boolean()
    .optional()
    .describe(
      "Whether to believe what it says of its tools: which only read, which may be repeated",
    ),
  tools: z
    .array(text)
    .min(1)
    .optional()
    .describe("The tools that are taken, as the server names them; default: all"),
});

/** MCP servers by name. */
export const McpFields = z.record(
  z
    .string()
    .regex(/^[A-Za-z][\w-]{0,63}$/, "expected a name of letters, digits, _ and -, up to 64"),
  Server,
);

export type ServerFields = z.output<typeof Server>;

export const serverNames: readonly string[] = Server.keyof().options;
