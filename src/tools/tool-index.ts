import type { StructuredToolInterface } from "@langchain/core/tools";
import MiniSearch from "minisearch";

import { folded } from "../evidence/fold.js";
import { isStop } from "../evidence/stop-words.js";
import { piecesOf, runsOf, stemmed } from "../evidence/words.js";
import { argumentSchema, propertiesOf } from "./argument-schema.js";
import { sameDeeds } from "./same-deeds.js";

/** Tools by what they do: the best first. */
export type ToolIndex = (query: string) => readonly string[];

/** Words in a name say more than those in the first sentence, and these more than the rest. */
const boost = { name: 3, summary: 2, details: 0.3, parameters: 0.3 } as const;

/** What a word in other words counts. */
const meantWeight = 0.6;

/**
 * An index of tools by the words of their names, descriptions and parameters, in Chinese and English, ranked by BM25.
 * Names are read in their parts: `issuesListComments`, `issues/list_comments`. The usual words for what is done, such
 * as "make" for "create", find one another.
 */
export function indexTools(tools: readonly StructuredToolInterface[]): ToolIndex {
  const index = new MiniSearch({
    idField: "name",
    fields: Object.keys(boost),
    tokenize: tokensOf,
    processTerm: (term) => term,
    searchOptions: { boost, combineWith: "OR", bm25: { k: 1.2, b: 0.75, d: 0.1 } },
  });
  index.addAll(
    tools.map((tool) => {
      const [summary = "", ...details] = tool.description.split(/(?<=[.。!！\n])\s*/u);
      const parameters = Object.keys(propertiesOf(argumentSchema(tool)));
      return {
        name: tool.name,
        summary,
        details: details.join(" "),
        parameters: parameters.join(" "),
      };
    }),
  );
  return (query) => {
    const said = [...new Set(tokensOf(query))];
    const meant = said.flatMap((token) => sameDeeds(token)).filter((one) => !said.includes(one));
    const weights = new Map([
      ...meant.map((one) => [one, meantWeight] as const),
      ...said.map((one) => [one, 1] as const),
    ]);
    return index
      .search([...weights.keys()].join(" "), {
        tokenize: (text) => text.split(" "),
        prefix: (term) => term.length > 4,
        boostTerm: (term) => weights.get(term) ?? 1,
      })
      .map(({ id }) => String(id));
  };
}

const parts = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_/u;

/** The words of a text without their endings, and pairs of signs in scripts without spaces. */
function tokensOf(text: string): string[] {
  const plain = folded(text.split(parts).join(" "));
  return runsOf(plain)
    .flatMap((run) => piecesOf(run))
    .filter((piece) => !isStop(piece))
    .map(stemmed);
}
