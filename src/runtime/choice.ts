/** Words that end as "older" does, and compare nothing. */
const noChoice =
  "together|number|other|another|either|whether|after|over|under|ever|per|cover|offer|deliver|enter|differ|order";

/** A choice between several by a figure: "which is older", "who has the most". */
export const choice = new RegExp(
  String.raw`\b(?:[Ww]hich|[Ww]ho|[Ww]hose|[Ww]here)\b.{0,300}?\b(?:(?!(?:${noChoice})\b)[a-z]{2,20}er|more|less|[a-z]{2,20}est|most|least|first|last)\b` +
    "|(?:哪|谁).{0,300}?[更最比]",
  "su",
);

/** "Who is older", "who has written more books", "which has the most pupils". */
const by = new RegExp(
  String.raw`\b(?:(?:more|less|fewer|most|least|fewest) (?<thing>\p{Ll}{3,40})|(?<how>(?!(?:${noChoice})\b)\p{Ll}{2,20}(?:er|est)))\b`,
  "u",
);

/** What the choice of a question goes by: "older", "books". */
export function chosenBy(question: string): string | undefined {
  const { thing, how } = by.exec(question)?.groups ?? {};
  return thing ?? how;
}
