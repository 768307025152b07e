/** A checkpoint of a thread, as far as pruning looks at it. */
export type KeptCheckpoint = {
  /** Empty for the thread itself; else that of a graph that ran inside it. */
  readonly namespace: string;
  /** In the order of time. */
  readonly id: string;
  /** The checkpoints that the surrounding graphs stood at, by namespace. */
  readonly parents: Readonly<Record<string, string>>;
  /** It holds changes only: to be read, it needs those before it. */
  readonly isDelta: boolean;
};

/** Behind every id. */
const afterAll = "\uffff";

/**
 * Finds, for each namespace of a thread, the id of the oldest checkpoint to keep: what is before it can go,
 * and all of a namespace that has an id behind every other. `keep` are kept of each. What ran inside a step is
 * kept as long as the checkpoint that the step began at: a pause or a crash is gone on with from there.
 */
export function oldestKept(
  checkpoints: readonly KeptCheckpoint[],
  keep: number,
): ReadonlyMap<string, string> {
  const oldest = new Map<string, string>();
  for (const [namespace, own] of byNamespace(checkpoints)) {
    const needed = own.filter(({ parents }) => isNeeded(namespace, parents, oldest));
    const ids = needed.map(({ id }) => id).toSorted();
    const first = needed.some(({ isDelta }) => isDelta) ? 0 : Math.max(0, ids.length - keep);
    oldest.set(namespace, ids[first] ?? afterAll);
  }
  return oldest;
}

/** The checkpoints by namespace, a surrounding one before those inside it. */
function byNamespace(checkpoints: readonly KeptCheckpoint[]): [string, KeptCheckpoint[]][] {
  const groups = new Map<string, KeptCheckpoint[]>();
  for (const checkpoint of checkpoints) {
    const group = groups.get(checkpoint.namespace) ?? [];
    groups.set(checkpoint.namespace, group);
    group.push(checkpoint);
  }
  return [...groups].toSorted(([left], [right]) => left.length - right.length);
}

/**
 * Whether what a checkpoint was made inside of is kept. A namespace that names no task is a memory of its own,
 * which outlives runs; a surrounding graph that has not come to its first checkpoint yet forbids nothing.
 */
function isNeeded(
  namespace: string,
  parents: KeptCheckpoint["parents"],
  oldest: ReadonlyMap<string, string>,
): boolean {
  if (!namespace.includes(":")) return true;
  return Object.entries(parents).every(([around, id]) => id >= (oldest.get(around) ?? ""));
}
