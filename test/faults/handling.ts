/**
 * What is done about a fault. "retried": the call is made again, three times in all. "one call": never again,
 * a fallback takes over. "asked plainly": once more, for the object in another form. "sent back": the reply
 * goes back to the model, which is asked three times in all. "called again": the tool refuses the arguments,
 * and the model makes its call again until that is refused as a repetition. "taken": it passes for a reply.
 */
export type Handling =
  "retried" | "one call" | "asked plainly" | "sent back" | "called again" | "taken";

const attempts: { readonly [Name in Handling]: number } = {
  retried: 3,
  "one call": 1,
  "asked plainly": 2,
  "sent back": 3,
  "called again": 3,
  taken: 1,
};

/** How often a call is to be made, how often a fallback is asked, and whether it brings nothing in the end. */
export type Expected = {
  readonly calls: number;
  readonly fallbacks: number;
  readonly isLost: boolean;
};

/** What is to come of a call; `isFaulty` says of each attempt, counted from 1, whether it fails. */
export function expectedOf(
  handling: Handling,
  isFaulty: (attempt: number) => boolean,
  hasFallback: boolean,
): Expected {
  const all = Array.from({ length: attempts[handling] }, (_, at) => at + 1);
  const good = all.find((attempt) => !isFaulty(attempt));
  if (good !== undefined) return { calls: good, fallbacks: 0, isLost: false };
  const isFallback = hasFallback && ["retried", "one call", "asked plainly"].includes(handling);
  return {
    calls: all.length,
    fallbacks: isFallback ? 1 : 0,
    isLost: handling !== "taken" && !isFallback,
  };
}
