/** Every value of `Replanning`. */
export const replannings = ["auto", "on-failure", "always"] as const;

/**
 * When a plan of tasks is revised. "always": after every step. "on-failure": after a failed step. "auto": after a
 * failed step, or one that reports that the plan must change. In all modes also when no step is left.
 */
export type Replanning = (typeof replannings)[number];

/** Whether the replanner tells the user how a plan goes on: not, in events, or in events and the chat. */
export const reportings = ["none", "events", "messages"] as const;

export type Reports = (typeof reportings)[number];
