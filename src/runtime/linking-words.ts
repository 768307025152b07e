/** What a question asks about by way of something else: "the head of the firm that built the Tanner Bridge". */
const linked =
  /\bthe (?:\p{Ll}+ )?(?<noun>\p{Ll}{3,40}) (?:of|where|whose)\b|\bthe (?<place>\p{Ll}{3,40}) (?:\p{Ll}+ ){0,3}in which\b|\b(?:the (?<doer>\p{Ll}{3,40}) )?(?:that|which|who) (?<verb>\p{Ll}{3,40})\b/gu;

/** The question or the task asks for the very thing: "Who is the elder of Copperfield?", "Find the firm that built the bridge." */
const askedItself =
  /(?:\b(?:[Ww]ho|[Ww]hat|[Ww]hich) (?:is|are|was|were)|^(?:Find|Look up|Get|Give|Name|Identify|Determine|Retrieve|Search for)(?: out)?(?: (?:who|what|which)(?: is| are| was| were))?) the (?:(?!\p{Ll}+ (?:that|which|who|whose|where)\b)\p{Ll}+ )?(?<thing>\p{Ll}{3,40})\b/gu;

/** The words for the very thing that a question or a task asks for. */
export function thingsAskedFor(question: string): ReadonlySet<string> {
  return new Set(
    [...question.matchAll(askedItself)].map(({ groups = {} }) => groups["thing"] ?? ""),
  );
}

/** "The firm that built the bridge", "the number of firms that built it"; not "has written that built it". */
const done =
  /\b(?!\p{Ll}{1,38}(?:ed|en) )(?<doer>\p{Ll}{3,40}) (?:that|which|who) (?<verb>\p{Ll}{3,40})\b/gu;

/** What a question calls those that have done something, and what they did. */
export function doersIn(question: string): readonly { doer: string; verb: string }[] {
  return [...question.matchAll(done)].map(({ groups = {} }) => ({
    doer: groups["doer"] ?? "",
    verb: groups["verb"] ?? "",
  }));
}

/** The words by which a question asks about something by way of something else. */
export function linkingWords(question: string): string[] {
  const itself = thingsAskedFor(question);
  const words = [...question.matchAll(linked)].flatMap(({ groups = {} }) => {
    // "The firm that built it" is what it asks for, not the way to it.
    if (itself.has(groups["doer"] ?? "")) return [];
    return [groups["noun"], groups["place"], groups["doer"], groups["verb"]].filter(
      (word) => word !== undefined,
    );
  });
  return [...new Set(words)].filter((word) => !itself.has(word));
}
