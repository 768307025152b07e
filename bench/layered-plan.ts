/** A step of a plan that is made for measuring. */
export type LayeredStep = {
  readonly id: string;
  /** The steps whose results it refers to, all of the layer before. */
  readonly needs: readonly string[];
  /** How long its tool takes, in milliseconds. */
  readonly ms: number;
  readonly item: string;
};

const stepMs = 50;
const stragglerMs = 250;

/**
 * A plan of layers, `width` independent steps each. A step refers to the one on its left in the layer
 * before, every second one to one more. The last step of the first layer is the straggler: unless
 * layers are one wide, no step needs it, so that who waits for whole layers is found out.
 */
export function layeredPlan(steps: number, width: number): LayeredStep[] {
  return Array.from({ length: steps }, (_, at) => {
    const column = at % width;
    const left = [
      Math.max(0, column - 1),
      ...(column >= 2 && column % 2 === 0 ? [column - 2] : []),
    ];
    const before = at - column - width;
    const needs = before < 0 ? [] : left.map((place) => `E${before + place + 1}`);
    const isStraggler = at === width - 1;
    const kind = isStraggler ? "archive" : "shelf";
    const names = needs.map((id) => `{{${id}.name}}`).join(" and ");
    return {
      id: `E${at + 1}`,
      needs,
      ms: isStraggler ? stragglerMs : stepMs,
      item: `${kind} ${at + 1}${names === "" ? "" : ` of ${names}`}`,
    };
  });
}

/** What a look-up finds: a name that later steps refer to, and text about as long as a paragraph. */
export function found(item: string): { readonly name: string; readonly text: string } {
  const name = `N${/\d+/.exec(item)?.[0]}`;
  return { name, text: `${name} is what was found, and this is said of it. `.repeat(8) };
}

/** How long a look-up takes, in milliseconds. */
export function lookUpMs(item: string): number {
  return item.startsWith("archive") ? stragglerMs : stepMs;
}

/** The item as a model without references would ask for it, which has read the results. */
export function resolvedItem({ item }: LayeredStep): string {
  return item.replaceAll(/\{\{E(\d+)\.name\}\}/g, "N$1");
}

/** The milliseconds that the steps take where each starts as soon as its needs and one of the slots are there. */
export function longestPathMs(plan: readonly LayeredStep[], slots: number): number {
  const freeAt = Array.from({ length: slots }, () => 0);
  const finishedAt = new Map<string, number>();
  const open = new Set(plan);
  while (open.size > 0) {
    const ready = [...open].filter(({ needs }) => needs.every((id) => finishedAt.has(id)));
    const readyAt = ({ needs }: LayeredStep) =>
      Math.max(0, ...needs.map((id) => finishedAt.get(id) ?? 0));
    const [next] = ready.toSorted((left, right) => readyAt(left) - readyAt(right));
    if (next === undefined) throw new Error("The steps wait for one another.");
    const slot = freeAt.indexOf(Math.min(...freeAt));
    const end = Math.max(readyAt(next), freeAt[slot] ?? 0) + next.ms;
    freeAt[slot] = end;
    finishedAt.set(next.id, end);
    open.delete(next);
  }
  return Math.max(...finishedAt.values());
}
