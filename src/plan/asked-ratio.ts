import { isJsonObject, type Json } from "../json/json.js";

/** "How many pupils for each of its teachers", "the most people on each hectare", "how many tons of coal per day". */
const forEach =
  /\b(?:[Hh]ow many|[Mm]ost|[Mm]ore|[Ff]ewest|[Ff]ewer|[Ll]east|[Ll]ess) (?:\p{Ll}+(?: \p{Ll}+)? of )?(?<counted>\p{Ll}{3,40})\b.{0,120}?\b(?<phrase>(?:(?:for|on|in) each(?: of (?:the|its|their))?|per) (?<each>(?!(?:two|three|four|five|six|seven|eight|nine|ten)\b)\p{Ll}{3,40}))/u;

/** What a question counts for each of something else. */
export type AskedRatio = {
  readonly counted: string;
  readonly each: string;
  /** The words of the question: "for each of its teachers". */
  readonly phrase: string;
};

/** What a question counts for each of something else, where it asks for that. */
export function askedRatio(question: string): AskedRatio | undefined {
  const { counted, each, phrase } = forEach.exec(question)?.groups ?? {};
  if (counted === undefined || each === undefined || phrase === undefined) return undefined;
  return { counted, each, phrase };
}

/** The ratio that a question asks for, where there are calculations and none divides. */
export function undividedRatio(
  question: string,
  calls: readonly { readonly args: Json }[],
): AskedRatio | undefined {
  const expressions = calls.map(({ args }) => expressionOf(args)).filter((each) => each !== "");
  const isDivided = expressions.length === 0 || expressions.some((each) => /[/÷]/.test(each));
  return isDivided ? undefined : askedRatio(question);
}

/** The expression that a call calculates. */
export function expressionOf(args: Json): string {
  const expression = isJsonObject(args) ? args["expression"] : undefined;
  return typeof expression === "string" ? expression : "";
}
