import type { StructuredToolInterface } from "@langchain/core/tools";

import { isRecord } from "../json/json.js";
import { hintAt } from "../run/check-names.js";
import { invalidTool } from "../tools/policy.js";
import { loadExports, namedExports } from "./load-exports.js";

/**
 * Loads the LangChain tools that modules export: as named exports, in lists or as the default; `flag` names what asks for
 * them. Throws `unreadable_file` for a file that does not exist, is not a module or fails to load, `missing_package` for
 * TypeScript without `tsx`, `invalid_tool` for a file without tools.
 */
export function loadToolFiles(
  files: readonly string[],
  flag = "--tools",
): Promise<StructuredToolInterface[]> {
  return loadExports(files, {
    flag,
    thing: "tool",
    kind: "LangChain tools",
    isThing: isTool,
    invalid: invalidTool,
  });
}

/** Loads the one tool that a module exports under a name. Throws as `loadToolFiles` does. */
export async function loadNamedTool(
  file: string,
  name: string,
  flag: string,
): Promise<StructuredToolInterface> {
  const exported = await namedExports(flag, file);
  const found = exported[name];
  if (isTool(found)) return found;
  const names = Object.keys(exported).filter((each) => isTool(exported[each]));
  const known = names.length === 0 ? "It exports no tools." : `Its tools are ${names.join(", ")}.`;
  throw invalidTool(`${flag} ${file} exports no tool "${name}".${hintAt(name, names)} ${known}`);
}

function isTool(value: unknown): value is StructuredToolInterface {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["invoke"] === "function" &&
    "schema" in value
  );
}
