import type { WireCompletion, WireMessage } from "../dialect.js";

/** Applies a change to every message, and every streamed part of one, of a completion. */
export const onMessages =
  (change: (message: WireMessage) => WireMessage) =>
  ({ choices, ...completion }: WireCompletion): WireCompletion => ({
    ...completion,
    choices: choices.map(({ message, delta, ...choice }) => ({
      ...choice,
      ...(message && { message: change(message) }),
      ...(delta && { delta: change(delta) }),
    })),
  });
