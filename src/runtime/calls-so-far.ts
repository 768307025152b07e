import { maxAskedChars } from "../plan/asked-figures.js";
import type { ToolsByWork } from "../roles/tools-by-work.js";
import type { Observation } from "../state/observation.js";
import { textOf } from "./plan/result-labels.js";

/** The calls for a question, as its names are in them. */
export type CallsSoFar = {
  readonly question: string;
  /** The names in the question. */
  readonly names: readonly string[];
  readonly all: readonly Observation[];
  /** The calls that found something out, and the names of the question that they are about. */
  readonly reads: readonly { readonly call: Observation; readonly about: readonly string[] }[];
  readonly tools: ToolsByWork;
};

/** Reads the calls for a question. */
export function readCalls(
  question: string,
  all: readonly Observation[],
  tools: ToolsByWork,
): CallsSoFar {
  const names = namesIn(question.slice(0, maxAskedChars));
  const reads = all.filter(({ tool }) => tools.lookUps.includes(tool));
  return {
    question,
    names,
    all,
    reads: reads.map((call) => ({ call, about: namesOf(call, names) })),
    tools,
  };
}

/** Words with a capital in a row, but not at the beginning of a sentence. */
const capitals =
  /(?<=[^\s.:!?"{]["'“‘]?\s["'“‘]?)\p{Lu}[\p{L}\p{N}’'-]+(?:\s\p{Lu}[\p{L}\p{N}’'-]+)*/gu;

/** The names in a text, told by their capitals, each once. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(capitals) ?? [])];
}

/** The names that a call is about: of several only those that its result has, since a tool may take but one. */
function namesOf({ args, content }: Observation, names: readonly string[]): readonly string[] {
  const about = namesWithin(textOf(args), names);
  return about.length < 2 ? about : namesWithin(content, about);
}

function namesWithin(text: string, names: readonly string[]): readonly string[] {
  const plain = text.toLowerCase();
  return names.filter((name) => plain.includes(name.toLowerCase()));
}

/** Names in a sentence: "A" and "B". */
export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" and ");
}
