import { oncePerObject } from "../models/once-per-object.js";
import type { Observation } from "../state/observation.js";
import { tellingCalls } from "./asked-words.js";
import { type CallsSoFar, isAbout } from "./calls-so-far.js";
import { linkingWords } from "./linking-words.js";
import { isKnown } from "./messages.js";
import { namesWithFields } from "./next-link.js";

/**
 * The names that results have told and calls have asked about, without those whose results led on to others; none where the
 * question asks about nothing by way of something else.
 */
export const chainEnds = oncePerObject(({ question, reads }: CallsSoFar): readonly string[] => {
  if (linkingWords(question).length === 0) return [];
  const found = reads.map(({ call }) => call).filter(({ ok }) => ok);
  const named = new Set(found.filter(isKnown).flatMap(({ content }) => namesWithFields(content)));
  const asked = [...named].filter(
    (name) => !question.includes(name) && found.some((call) => isAbout(call, name)),
  );
  // A sentence that begins with a name leaves its end: "Brewery".
  const whole = asked.filter((name) => !isPartOfAny(name, asked));
  const vain = triedInVain(whole, question, found);
  const links = whole.filter((name) => !vain.has(name));
  return links.filter(
    (name) => !found.some((call) => isAbout(call, name) && leadsOn(call, name, links)),
  );
});

/**
 * The names of which a tool tells nothing that is asked, but does of another one that leads to no further name: the town in
 * which a firm has its seat, with its people, where the workers of firms are asked about.
 */
function triedInVain(
  names: readonly string[],
  question: string,
  found: readonly Observation[],
): ReadonlySet<string> {
  const telling = tellingCalls(found, question);
  const asked = found.flatMap((call) =>
    names.filter((name) => isAbout(call, name)).map((name) => ({ call, name })),
  );
  const ends = asked.filter(({ call, name }) => telling.has(call) && !leadsOn(call, name, names));
  const vain = asked.filter(
    ({ call, name }) =>
      !telling.has(call) && ends.some((end) => end.call.tool === call.tool && end.name !== name),
  );
  return new Set(vain.map(({ name }) => name));
}

/** Whether the result of a call about this name has another one of these. */
function leadsOn({ content }: Observation, name: string, names: readonly string[]): boolean {
  return names.some((other) => other !== name && content.includes(other));
}

function isPartOfAny(name: string, all: readonly string[]): boolean {
  return all.some((other) => other !== name && other.includes(name));
}
