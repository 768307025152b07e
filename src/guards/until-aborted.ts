/**
 * The result, or the signal's reason when it aborts first: work that ignores its signal holds nobody
 * up. The signal is this work's own: the listener goes with it.
 */
export async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([work(), aborted]);
}
