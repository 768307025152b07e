import type { z } from "zod";

/** What a zod schema found wrong, a line for each field, with the path to it from `root`. */
export function issueLines(issues: readonly z.core.$ZodIssue[], root?: string): string[] {
  return issues.flatMap((issue) => {
    const path = [...(root === undefined ? [] : [root]), ...issue.path].map(String);
    // Of unknown fields zod tells only in the words of the object around them.
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${[...path, key].join(".")}: there is no such field`)
      : [[path.join("."), issue.message].filter((part) => part !== "").join(": ")];
  });
}
