/** Every value of `Replanning`. */
export const replannings = ["auto", "on-failure", "always"] as const;

/**
 * When a plan of tasks is looked at again. "always": after every step. "on-failure": after one that failed.
 * "auto": after one that failed, or reports that the plan has to change. And whenever no step is left.
 */
export type Replanning = (typeof replannings)[number];
