/** A step in a picture: the steps that it waits for stand above it. */
export type Node = { readonly id: string; readonly needs: readonly string[] };

/** Where a step stands: roots in row 0, each other one row below the lowest that it waits for. */
export type Place = { readonly id: string; readonly row: number; readonly column: number };

/** How often rows are put in order by their neighbours. */
const rounds = 4;

/**
 * Places steps in rows by how deep they lie, and orders each row by the middle of its neighbours, so that few lines cross
 * (the barycentre method of Sugiyama et al., 1981). Steps that wait for one another in a circle count as roots.
 */
export function placesOf(nodes: readonly Node[]): readonly Place[] {
  const depths = depthsOf(nodes);
  const rows: string[][] = [];
  for (const { id } of nodes) (rows[depths.get(id) ?? 0] ??= []).push(id);
  const above = new Map(nodes.map(({ id, needs }) => [id, needs]));
  const below = turned(nodes);
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 1; at < rows.length; at += 1) order(rows, at, at - 1, above);
    for (let at = rows.length - 2; at >= 0; at -= 1) order(rows, at, at + 1, below);
  }
  for (let at = 1; at < rows.length; at += 1) order(rows, at, at - 1, above);
  return rows.flatMap((row, at) => row.map((id, column) => ({ id, row: at, column })));
}

/** The lines between steps, from above. */
export function edgesOf(nodes: readonly Node[]): readonly (readonly [from: string, to: string])[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, needs }) =>
    [...new Set(needs)].filter((need) => ids.has(need)).map((need) => [need, id] as const),
  );
}

function depthsOf(nodes: readonly Node[]): ReadonlyMap<string, number> {
  const needs = new Map(nodes.map((node) => [node.id, node.needs]));
  const depths = new Map<string, number>();
  const depthOf = (id: string, inside: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const within = new Set([...inside, id]);
    const above = (needs.get(id) ?? []).filter((need) => needs.has(need) && !within.has(need));
    const depth = above.reduce((deepest, need) => Math.max(deepest, depthOf(need, within) + 1), 0);
    depths.set(id, depth);
    return depth;
  };
  for (const { id } of nodes) depthOf(id, new Set());
  return depths;
}

/** The steps that wait for each. */
function turned(nodes: readonly Node[]): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, string[]>();
  for (const [from, to] of edgesOf(nodes)) below.set(from, [...(below.get(from) ?? []), to]);
  return below;
}

/** Sorts a row by where its neighbours in another row stand; who has none there keeps its place. */
function order(
  rows: string[][],
  at: number,
  other: number,
  neighbours: ReadonlyMap<string, readonly string[]>,
): void {
  const row = rows[at] ?? [];
  const places = new Map((rows[other] ?? []).map((id, place) => [id, place]));
  const middles = new Map(
    row.map((id, place) => {
      const near = (neighbours.get(id) ?? []).flatMap((each) => places.get(each) ?? []);
      const sum = near.reduce((total, each) => total + each, 0);
      return [id, near.length === 0 ? place : sum / near.length];
    }),
  );
  rows[at] = row.toSorted((left, right) => (middles.get(left) ?? 0) - (middles.get(right) ?? 0));
}
