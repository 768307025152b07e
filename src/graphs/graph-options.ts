import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph";

import type { ResponseFormat } from "../models/structured-reply.js";
import type { RunOptions } from "../runtime/settings.js";
import type { ToolPolicy } from "../tools/policy.js";

/** What every graph can consist of, whatever its method. Every field is optional. */
export type GraphOptions = RunOptions & {
  /** LangChain tools, as they are or with a policy. */
  readonly tools?: readonly StructuredToolInterface[];
  /** Policies by tool name, over those attached with `withPolicy`. */
  readonly toolPolicies?: { readonly [name: string]: ToolPolicy };
  /** A zod schema: the result then carries `structuredResponse`. */
  readonly responseFormat?: ResponseFormat;
  /** Where runs are kept, so that they can pause and survive a crash. Default: what a surrounding graph has. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
};
