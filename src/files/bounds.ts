/** The maximum number of values in data, YAML aliases counted at every use: several times the largest API description. */
export const maxValues = 3_000_000;

/** Whether data are small enough to walk. Aliases count each time: a short YAML text can expand to billions of values. */
export function isWithin(value: unknown, depth: number, values = Infinity): boolean {
  let level: readonly unknown[] = [value];
  let count = 1;
  for (let at = 0; at <= depth; at += 1) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== "object" || each === null) continue;
      const inside: unknown[] = Object.values(each);
      count += inside.length;
      if (count > values) return false;
      for (const item of inside) next.push(item);
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
