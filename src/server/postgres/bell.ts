/** Wakes one waiter. A ring while it does not wait is not lost. */
export type Bell = {
  readonly ring: () => void;
  /** Resolves when it rings, or has rung since the last time; after `ms` at the latest. */
  readonly rung: (ms: number) => Promise<void>;
};

/** A bell that nobody has rung. */
export function newBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    rung: async (ms) => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
    },
  };
}
