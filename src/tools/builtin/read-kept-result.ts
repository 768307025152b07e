import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { readResultName } from "../../prompts/read-on-hint.js";
import type { Observation } from "../../state/observation.js";
import { maxKeptChars, wholeText } from "../kept-result.js";
import { escaped } from "../linear-pattern.js";
import { ToolError } from "../policy.js";
import type { ToolCallContext } from "../tool-call.js";
import { defaultMaxResultChars } from "../tool-result.js";
import type { Toolbox, ToolEntry } from "../toolbox.js";

const schema = z.object({
  id: z.string().describe("The id of the result, as the note below it says."),
  from: z.int().min(0).optional().describe("Where to read on: characters from the start, from 0."),
  find: z.string().optional().describe("Words to look for instead; the text around them is read."),
});

type Asked = z.infer<typeof schema>;

/** The tool as models see it. A user's tool of the same name replaces it. */
export const readResultForm = toolOf(() => "");

/** Whether a result of this run was cut: then a model may read the rest. */
export function isReadOn(observations: readonly Observation[]): boolean {
  return observations.some(({ cut }) => cut !== undefined);
}

/** Whether the model can read the rest of a call's result: only in turns, not in a plan. */
export function readsOn({ toolbox, isPlanned }: ToolCallContext): boolean {
  return isPlanned !== true && !isTaken(toolbox);
}

function isTaken(toolbox: Toolbox): boolean {
  const taken = toolbox.get(readResultName);
  return taken !== undefined && taken.role !== "read_result";
}

/** The tools, with the one that reads this run's results, unless a user's tool has its name. */
export function withReadResult(toolbox: Toolbox, observations: readonly Observation[]): Toolbox {
  if (toolbox.has(readResultName)) return toolbox;
  const isOutside = observations.some(({ cut, trust }) => cut !== undefined && trust !== undefined);
  const entry: ToolEntry = {
    tool: toolOf((asked) => readOn(asked, observations, toolbox)),
    // Its result is already cut, and stays untrusted data.
    policy: {
      effect: "read",
      maxResultChars: Infinity,
      trust: isOutside ? "untrusted" : "trusted",
    },
    role: "read_result",
    counts: true,
  };
  return new Map([...toolbox, [readResultName, entry]]);
}

function toolOf(read: (asked: Asked) => string) {
  return tool(read, {
    name: readResultName,
    description:
      "Reads a result of this run on that was too long to be shown whole: from a place, or around words in it.",
    schema,
  });
}

function readOn(
  { id, from = 0, find = "" }: Asked,
  observations: readonly Observation[],
  toolbox: Toolbox,
): string {
  const seen = observations.find(({ callId }) => callId === id);
  if (seen === undefined) throw noResult(id, observations);
  const { tool: name, cut, notKept } = seen;
  if (notKept !== undefined && cut === undefined) {
    const message = `the result ${id} has ${notKept} characters, more than the ${maxKeptChars} that are kept. Ask ${name} for a smaller part.`;
    throw new ToolError("rejected", message);
  }
  const text = wholeText(seen);
  const maxChars = toolbox.get(name)?.policy.maxResultChars ?? defaultMaxResultChars;
  const words = find.trim();
  return words === ""
    ? partFrom(from, text, seen, maxChars)
    : placesOf(words, text, seen, maxChars);
}

function partFrom(
  from: number,
  text: string,
  { callId: id, tool: name }: Observation,
  maxChars: number,
): string {
  if (from >= text.length) {
    throw new ToolError("rejected", `the result ${id} ends at character ${text.length}.`);
  }
  const to = Math.min(text.length, from + maxChars);
  const next = JSON.stringify({ id, from: to });
  const rest = to < text.length ? `The next part: ${next}.` : "This is its end.";
  const part = text.slice(from, to);
  return `Characters ${from} to ${to} of ${text.length} of ${name} (${id}). ${rest}\n${part}`;
}

function noResult(id: string, observations: readonly Observation[]): ToolError {
  const cut = observations
    .filter(({ cut: chars }) => chars !== undefined)
    .map(({ callId, tool: name, cut: chars }) => `${callId} (${name}, ${chars} characters)`);
  const known =
    cut.length === 0 ? "No result of this question was cut." : `Cut were: ${cut.join(", ")}.`;
  const message = `this question has no result "${id}". ${known} Results of earlier questions are not kept: call their tool again.`;
  return new ToolError("rejected", message);
}

const maxPlaces = 5;

function placesOf(
  words: string,
  text: string,
  { callId, tool: name }: Observation,
  maxChars: number,
): string {
  const places = [...text.matchAll(new RegExp(escaped(words), "giu"))].map(({ index }) => index);
  const size = `the ${text.length} characters of ${name} (${callId})`;
  if (places.length === 0) return `"${words}" does not occur in ${size}.`;
  const around = Math.floor(maxChars / maxPlaces);
  const shown = places
    .filter((at, index) => index === 0 || at - (places[index - 1] ?? 0) > around / 2)
    .slice(0, maxPlaces)
    .map((at) => {
      const from = Math.max(0, at - Math.floor(around / 3));
      return `[from character ${from}]\n${text.slice(from, from + around)}`;
    });
  return [`"${words}" occurs ${places.length} times in ${size}.`, ...shown].join("\n");
}
