/** The columns of a checkpoint that pruning reads. */
export type KeptCheckpoint = {
  /** Empty for the thread itself; otherwise the namespace of a graph that ran inside it. */
  readonly namespace: string;
  /** Ids are in order of time. */
  readonly id: string;
  /** The checkpoints of the surrounding graphs, by namespace. */
  readonly parents: Readonly<Record<string, string>>;
  /** It holds only changes: reading it needs the ones before it. */
  readonly isDelta: boolean;
};

/** Sorts after every id. */
const afterAll = "\uffff";

/**
 * Finds, for each namespace of a thread, the id of the oldest checkpoint to keep: older ones can go. An id that sorts
 * after all others removes the whole namespace. `keep` are kept of each. The checkpoints inside a step are kept as long
 * as the checkpoint where the step started: a pause or a crash is resumed from there.
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

/** The checkpoints by namespace, surrounding ones before those inside. */
function byNamespace(checkpoints: readonly KeptCheckpoint[]): [string, KeptCheckpoint[]][] {
  const groups = new Map<string, KeptCheckpoint[]>();
  for (const checkpoint of checkpoints) {
    const group = groups.get(checkpoint.namespace) ?? [];
    groups.set(checkpoint.namespace, group);
    group.push(checkpoint);
  }
  return [...groups].toSorted(([left], [right]) => left.length - right.length);
}

/** Whether the surrounding checkpoint is kept, if any. A namespace without a task outlives runs and is always needed. */
function isNeeded(
  namespace: string,
  parents: KeptCheckpoint["parents"],
  oldest: ReadonlyMap<string, string>,
): boolean {
  if (!namespace.includes(":")) return true;
  return Object.entries(parents).every(([around, id]) => id >= (oldest.get(around) ?? ""));
}
