import type { StructuredToolInterface } from "@langchain/core/tools";

import type { WorkflowForm } from "../../graphs/workflow/form.js";
import type { Service } from "../../services/index.js";
import type { AgentFile } from "../fields/agent-fields.js";
import type { ReadServers } from "./read-mcp.js";
import type { ReadMemory } from "./read-memory.js";
import type { WorkflowFile } from "../fields/workflow-fields.js";

/** A file with all that it names, read and checked. */
type ReadCommon = {
  readonly file: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly tools: readonly StructuredToolInterface[];
  /** The definitions of those tools that are services. */
  readonly services: readonly Service[];
  /** The MCP servers of those tools that have one. */
  readonly servers: ReadServers;
  /** The agents and workflows that are tools, by the names of the tools. */
  readonly agents: ReadonlyMap<string, ReadFile>;
};

/** An agent file, read. */
export type ReadAgent = ReadCommon & {
  readonly kind: "agent";
  readonly fields: AgentFile;
  /** The routes of a router, by their names; the agent of an assistant as `agent`. */
  readonly routes: ReadonlyMap<string, ReadFile>;
  /** The executors of a plan, by their names. */
  readonly executors: ReadonlyMap<string, ReadAgent>;
  readonly memory: ReadMemory;
};

/** A workflow file, read. */
export type ReadWorkflow = ReadCommon & {
  readonly kind: "workflow";
  readonly fields: WorkflowFile;
  /** What it does; its steps name agents and workflows by the names of their tools. */
  readonly form: WorkflowForm;
};

export type ReadFile = ReadAgent | ReadWorkflow;
