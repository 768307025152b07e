import { z } from "zod";

import type { CredentialRequest } from "../credentials.js";

// The types of the package show this file, so it names no type of the optional SDK.

/** What a server offers besides tools. */
export type McpHelper = "resources" | "prompts";

/**
 * Gives the headers of the person for whom a run works, asked with each call; `name` is "headers". Nothing where there
 * are none: then the call is `missing_credential`. Tools are listed with what it gives without a `context`
 * (`isListing`), or without headers.
 */
export type McpHeaderSource = (
  request: CredentialRequest & { readonly isListing: boolean },
) => McpHeaders | undefined | Promise<McpHeaders | undefined>;

/** Headers by name. */
export type McpHeaders = { readonly [name: string]: string };

/** A server that speaks the Model Context Protocol: a command to start, or a URL. */
export type McpServer = (
  | {
      readonly command: string;
      readonly args?: string[];
      readonly env?: Record<string, string>;
      readonly cwd?: string;
      readonly stderr?: "overlapped" | "pipe" | "ignore" | "inherit";
    }
  | { readonly url: string; readonly headers?: Record<string, string> | McpHeaderSource }
) & {
  /**
   * Believes what the server says of its tools: `readOnlyHint` makes a tool `read`, `idempotentHint` makes it
   * `idempotent`, so that calls are retried and reads run in parallel. Default: the option `trustHints`, else `false`.
   */
  readonly trustHints?: boolean;
};

/** A server that several graphs share. */
export type SharedMcpServer = {
  /** Closes the connection when its calls have their answers; the next call opens another. */
  readonly rest: () => Promise<void>;
  /** Closes the connection for good; a second time does nothing. */
  readonly close: () => Promise<void>;
};

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

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
      headers: texts.or(z.custom<McpHeaderSource>(isFunction, "expected a function")).optional(),
      trustHints,
    }),
  ]),
);
