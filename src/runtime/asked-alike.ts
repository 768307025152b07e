import { isJsonObject, mapFields } from "../json/json.js";
import type { Observation } from "../state/observation.js";
import type { KnownCall, OpenPoint } from "../state/plan.js";
import { tellingCalls } from "./asked-words.js";
import { quoted } from "./calls-so-far.js";
import { textOf } from "./plan/result-labels.js";

/** A look-up with the names that it is about. */
type Named = { readonly call: Observation; readonly about: readonly string[] };

/**
 * What one of several names was asked, the others are asked, too, with the same words. Where look-ups tell what the question
 * asks about, one of those is made again: a plan may ask a tool about a name for nothing.
 */
export function askedAlike(question: string, reads: readonly Named[]): OpenPoint | undefined {
  const named = reads.filter(({ about }) => about.length > 0);
  const telling = tellingCalls(
    named.map(({ call }) => call),
    question,
  );
  const last = named.findLast(({ call }) => telling.has(call)) ?? named.at(-1);
  if (last === undefined) return undefined;
  const { tool } = last.call;
  const ofTool = named.filter(({ call }) => call.tool === tool);
  const asked = new Set(ofTool.flatMap(({ about }) => about));
  const others = [...new Set(named.flatMap(({ about }) => about))].filter(
    (name) => !asked.has(name),
  );
  if (others.length === 0) return undefined;
  const calls = others.flatMap((name) => callsFor(name, last, ofTool));
  return { told: `${tool} was not called about ${quoted(others)} yet.`, of: [tool], calls };
}

/** The calls about the one name of this look-up, with another name in its place. */
function callsFor(name: string, { about }: Named, ofTool: readonly Named[]): KnownCall[] {
  const [model = "", ...more] = about;
  if (more.length > 0) return [];
  return ofTool.flatMap(({ call, about: [of, ...others] }) => {
    const isAlike = call.ok && of === model && others.length === 0;
    return isAlike ? callAbout(name, model, call) : [];
  });
}

/** The same call about another name; none where it does not say the one. */
export function callAbout(other: string, name: string, { tool, args }: Observation): KnownCall[] {
  if (!isJsonObject(args) || !textOf(args).includes(name)) return [];
  return [{ tool, args: mapFields(args, (text) => text.replaceAll(name, other)) }];
}
