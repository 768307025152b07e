import { dirname, relative, resolve } from "node:path";

import type { FileSource } from "../../files/file-source.js";
import type { Environment } from "../../models/model.js";
import type { McpShare } from "../make/mcp-servers.js";
import type { Problems } from "./problems.js";
import type { SharedTools } from "./shared-tools.js";

/** The file in which something is named. */
export type Around = {
  readonly file: string;
  readonly problems: Problems;
  readonly environment: Environment;
  /** Where data files are read from; default: the disk. */
  readonly source: FileSource | undefined;
  /** The MCP servers of the graph for which the file is read. */
  readonly mcp: McpShare;
  /** The tools that its files have in common. */
  readonly shared: SharedTools;
};

/** A path in a file is read from the file's folder. */
export function pathFrom(file: string, path: string): string {
  return resolve(dirname(file), path);
}

/** A file as people read it: from the folder in which they work. */
export function shownPath(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith("..") ? file : short;
}
