/** The timers and sockets that keep the process alive, by kind. */
export function openResources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /Timeout|TCP/.test(kind))
    .toSorted();
}
