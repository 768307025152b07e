import { z } from "zod";

// The types of the package show this file, so it names no type of the optional SDK.

/** What a server offers besides tools. */
export type McpHelper = "resources" | "prompts";

/** A server that speaks the Model Context Protocol: a command to start, or a URL. */
export type McpServer = (
  | {
      readonly command: string;
      readonly args?: string[];
      readonly env?: Record<string, string>;
      readonly cwd?: string;
      readonly stderr?: "overlapped" | "pipe" | "ignore" | "inherit";
    }
  | { readonly url: string; readonly headers?: Record<string, string> }
) & {
  /**
   * Believes what the server says of its tools: `readOnlyHint` makes a tool `read`, `idempotentHint` makes it
   * `idempotent`, so that calls are retried and reads run in parallel. Default: the option `trustHints`, else `false`.
   */
  readonly trustHints?: boolean;
};

const trustHints = z.boolean().optional();
const texts = z.record(z.string(), z.string());

/** The servers by name, as they are checked. */
export const McpServers = z.record(
  z.string(),
  z.union([
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).optional(),
      env: texts.optional(),
      cwd: z.string().optional(),
      stderr: z.enum(["overlapped", "pipe", "ignore", "inherit"]).optional(),
      trustHints,
    }),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      headers: texts.optional(),
      trustHints,
    }),
  ]),
);
