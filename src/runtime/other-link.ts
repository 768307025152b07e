import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { callAbout } from "./asked-alike.js";
import { tellingCalls } from "./asked-words.js";
import { type CallsSoFar, fillable, isAbout, quoted, tellsFact } from "./calls-so-far.js";
import { linkingWords } from "./linking-words.js";
import { maxNameChars, namesWithFields } from "./next-link.js";

/** A name in the result of a look-up. */
type Link = {
  readonly name: string;
  /** The word before it: "in" of "Willow Park in Ashgate", "district" of "district=Ashgate". */
  readonly word: string;
  readonly from: Observation;
  /** Whether the look-up was about a name of the question. */
  readonly isFirst: boolean;
};

/** A name that a result led to, and the call about it. */
type Followed = Link & {
  readonly call: Observation;
  /** Whether the call has told something that is asked about. */
  readonly isTelling: boolean;
};

/**
 * What is asked about by way of something else was looked up for one name, and not for the others: where "Willow Park in Ashgate"
 * led to Ashgate, "Castle Park in Harbour End" leads to Harbour End.
 */
export function otherLink(seen: CallsSoFar): OpenPoint | undefined {
  const { question, names } = seen;
  if (names.length < 2 || linkingWords(question).length === 0) return undefined;
  const links = linksIn(seen);
  for (const followed of followedIn(links, seen)) {
    const others = namesBeside(followed, links, seen);
    if (others.length > 0) return toFollow(followed, others, seen);
  }
  return undefined;
}

function toFollow(
  { call, name, isTelling }: Followed,
  others: readonly string[],
  seen: CallsSoFar,
): OpenPoint {
  const told = `A result led to ${JSON.stringify(name)}, and others name ${quoted(others)} in the same way.`;
  // What told nothing of the one that is asked about, the others are not asked.
  if (!isTelling) {
    return { told: `${told} Look that up, too.`, of: fillable(seen.tools.named, seen) };
  }
  const { tool } = call;
  const calls = others.flatMap((other) => callAbout(other, name, call));
  return { told: `${told} ${tool} was not called about that yet.`, of: [tool], calls };
}

/** The names that facts tell, each with the word before it. */
function linksIn({ question, reads }: CallsSoFar): readonly Link[] {
  const facts = reads.filter(({ call }) => tellsFact(call));
  return facts.flatMap(({ call, about }) =>
    namesWithFields(call.content)
      .filter((name) => name.length <= maxNameChars && !question.includes(name))
      .flatMap((name): Link[] => {
        const word = wordBefore(name, call.content);
        return word === undefined ? [] : [{ name, word, from: call, isFirst: about.length === 1 }];
      }),
  );
}

const lastWord = /(?<word>[\p{L}_]{2,40})(?:\s|=|":\s?")$/u;

function wordBefore(name: string, text: string): string | undefined {
  return lastWord.exec(text.slice(0, text.indexOf(name)))?.groups?.["word"]?.toLowerCase();
}

/**
 * Those that were looked up: any name to which a name of the question led, and further on in the chain what has told something
 * that is asked about. A model may look up more than it needs.
 */
function followedIn(links: readonly Link[], { question, reads }: CallsSoFar): readonly Followed[] {
  const calls = reads.map(({ call }) => call).filter(({ ok }) => ok);
  const telling = tellingCalls(calls, question);
  return links.flatMap((link): Followed[] => {
    const about = calls.filter((call) => call !== link.from && isAbout(call, link.name));
    const told = about.findLast((each) => telling.has(each));
    const call = told ?? (link.isFirst ? about.at(-1) : undefined);
    return call === undefined ? [] : [{ ...link, call, isTelling: call === told }];
  });
}

/** The names in other results of the same tool that stand behind the same word, and that no call is about. */
function namesBeside(
  { from, word, isFirst }: Followed,
  links: readonly Link[],
  { reads }: CallsSoFar,
): readonly string[] {
  const beside = links.filter(
    (link) =>
      link.from !== from &&
      link.from.tool === from.tool &&
      link.isFirst === isFirst &&
      link.word === word &&
      !reads.some(({ call }) => isAbout(call, link.name)),
  );
  return [...new Set(beside.map(({ name }) => name))].slice(0, maxNames);
}

/** The most names that are told. */
const maxNames = 6;
