import type { Operation } from "./operations.js";
import { textOf } from "./references.js";

/** How long a tool's description is at most, and what else may be said of it, in characters. */
const maxDescription = 300;
const maxExtended = 600;

/** What is read of a description: whole manuals stand in some. */
const maxRead = 5_000;

/** What a model is told of an operation. */
export type OperationText = {
  readonly description: string;
  readonly extendedDescription?: string;
};

/**
 * A short description: the summary and the first paragraph of the description. The other paragraphs are what else
 * there is to know, where they are short, or else left out.
 */
export function operationText({ fields, method, path }: Operation): OperationText {
  const [first = "", ...others] = paragraphs(textOf(fields, "description"));
  const summary = textOf(fields, "summary").slice(0, maxRead).replaceAll(/\s+/g, " ").trim();
  const isSaid = first.toLowerCase().startsWith(summary.toLowerCase());
  const sentences = isSaid ? [first] : [ended(summary), first];
  const description = shortened(sentences.join(" ").trim(), maxDescription);
  const extendedDescription = others.join("\n");
  return {
    description: description === "" ? `${method} ${path}` : description,
    ...(extendedDescription === "" || extendedDescription.length > maxExtended
      ? {}
      : { extendedDescription }),
  };
}

function paragraphs(text: string): string[] {
  return (
    text
      .slice(0, maxRead)
      .replaceAll("\r\n", "\n")
      // Where links lead costs tokens and tells a model nothing.
      .replaceAll(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, "$1")
      .split("\n\n")
      .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
      .filter((paragraph) => paragraph !== "")
  );
}

function ended(sentence: string): string {
  return sentence === "" || /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** As many whole sentences as fit, or else whole words; a cut is marked. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const sentence = head.lastIndexOf(". ");
  if (sentence > max / 2) return head.slice(0, sentence + 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), max / 2)).trimEnd()}…`;
}
