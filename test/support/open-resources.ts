/** The timers and connections that keep the program alive, by kind. */
export function openResources(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /Timeout|TCP/.test(kind))
    .toSorted();
}
