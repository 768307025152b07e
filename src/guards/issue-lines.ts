import type { z } from "zod";

import { closeName, nearestFirst } from "../plan/nearest.js";

/**
 * What a zod schema found wrong, a line for each field, with the path to it from `root`; with `names`, which of them an
 * unknown field was meant to be.
 */
export function issueLines(
  issues: readonly z.core.$ZodIssue[],
  root?: string,
  names: readonly string[] = [],
): string[] {
  return issues.flatMap((issue) => {
    const path = [...(root === undefined ? [] : [root]), ...issue.path].map(String);
    // Of unknown fields zod tells only in the words of the object around them.
    return issue.code === "unrecognized_keys"
      ? issue.keys.map(
          (key) => `${[...path, key].join(".")}: there is no such field${hintAt(key, names)}`,
        )
      : [[path.join("."), issue.message].filter((part) => part !== "").join(": ")];
  });
}

function hintAt(key: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const meant = closeName(key, names);
  const known = nearestFirst(key, names).join(", ");
  return meant === undefined ? `, only ${known}` : ` (did you mean ${meant}?)`;
}
