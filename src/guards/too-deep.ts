/** How deep objects and lists may stand in one another: far below what exhausts the stack, far above what anyone means. */
export const maxDepth = 200;

/** Whether a value nests deeper than that. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
