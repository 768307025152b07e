import type { InputMessage, ModelInput } from "../../observe/observer.js";

/** What a model was sent, without what it had read before. */
export type NewInput = {
  readonly system: string;
  /** How many messages are the same as in the request before. */
  readonly earlier: number;
  readonly messages: readonly InputMessage[];
  readonly all: readonly InputMessage[];
};

/** What is new in a request since the one before it of the same role. */
export function newIn(input: ModelInput, before: ModelInput | undefined): NewInput {
  const system = input.messages
    .filter(({ role }) => role === "system")
    .map(({ text }) => text)
    .join("\n\n");
  const all = input.messages.filter(({ role }) => role !== "system");
  const known = (before?.messages ?? [])
    .filter(({ role }) => role !== "system")
    .map((message) => JSON.stringify(message));
  const differs = all.findIndex((message, at) => JSON.stringify(message) !== known[at]);
  const earlier = differs === -1 ? Math.max(0, all.length - 1) : differs;
  return { system, earlier, messages: all.slice(earlier), all };
}
