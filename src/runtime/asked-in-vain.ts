import { isRecord } from "../json/json.js";
import { numbersIn } from "../plan/asked-figures.js";
import { figuresIn } from "../plan/figures.js";
import type { Observation } from "../state/observation.js";
import type { KnownCall, OpenPoint } from "../state/plan.js";
import { callAbout } from "./asked-alike.js";
import { asSaid, type CallsSoFar, isAbout, quoted, tellsFact } from "./calls-so-far.js";
import { maxNameChars, namesWithFields } from "./next-link.js";

/** A call that was refused, a name that it is about, and the one name to which a result about that leads. */
type InVain = { readonly call: Observation; readonly name: string; readonly lead: string };

/**
 * A tool was asked about a name and a year of the question and knows nothing about it, and what was found about that name leads to
 * one other: people were counted in Harbour End, and not in the Bell Tower that stands there.
 */
export function askedInVain(seen: CallsSoFar): OpenPoint | undefined {
  const figures = figuresIn(seen.question);
  const refused = seen.reads.filter(
    ({ call }) =>
      call.error?.kind === "rejected" &&
      numbersIn(call.args).some((figure) => figures.includes(figure)),
  );
  const all = refused.flatMap(({ call, about }) =>
    about.flatMap((name): InVain[] => {
      const lead = leadOf(call, name, seen);
      return lead === undefined ? [] : [{ call, name, lead }];
    }),
  );
  const [first] = all;
  if (first === undefined) return undefined;
  const { tool } = first.call;
  const lead = quoted([first.lead]);
  return {
    told: `${tool} knows nothing about ${quoted([first.name])}, and the result about that names ${lead}. Call it about ${lead}.`,
    of: [tool],
    calls: callsInstead(
      all.filter(({ call }) => call.tool === tool),
      seen,
    ),
  };
}

/** The same calls about those names, where a name is all that an argument says. */
function callsInstead(inVain: readonly InVain[], seen: CallsSoFar): readonly KnownCall[] {
  const byLead = new Map(inVain.map((each) => [each.lead, each]));
  return [...byLead.values()].flatMap(({ call, name, lead }) => {
    const given: readonly unknown[] = isRecord(call.args) ? Object.values(call.args) : [];
    const said = [asSaid(name, seen), name].find((each) => given.includes(each));
    return said === undefined ? [] : callAbout(lead, said, call);
  });
}

/** The name to ask about in place of one that a tool has refused; undefined where there are several, or it was tried. */
function leadOf(
  call: Observation,
  name: string,
  { question, reads }: CallsSoFar,
): string | undefined {
  const calls = reads.map((each) => each.call);
  const ofTool = calls.filter(({ tool }) => tool === call.tool);
  const isTold = ofTool.some((each) => each.ok && isAbout(each, name));
  if (isTold) return undefined;
  const facts = reads.filter((each) => tellsFact(each.call) && each.about.includes(name));
  const names = new Set(facts.flatMap((each) => namesWithFields(each.call.content)));
  const [lead, ...more] = [...names].filter((each) => !question.includes(each));
  if (lead === undefined || lead.length > maxNameChars || more.length > 0) return undefined;
  return ofTool.some((each) => isAbout(each, lead)) ? undefined : lead;
}
