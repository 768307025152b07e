import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod";

import { isRecord } from "../json/json.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import type { Observation } from "../state/observation.js";
import { fusedRanks } from "./fused-ranks.js";
import { invalidTool, marksOf, type ToolFinder, withMarks, withPolicy } from "./policy.js";
import { indexTools } from "./tool-index.js";
import type { Toolbox } from "./toolbox.js";

/** Options of `searchable`. Every field is optional. */
export type SearchableOptions = {
  /** The names of tools that models see from the beginning. */
  readonly always?: readonly string[];
  /** How many tools a search finds; default 10. */
  readonly limit?: number;
  /** Finds tools by the meaning of their descriptions, too; without it by words. */
  readonly embeddings?: EmbeddingsInterface;
};

const optionNames: NamesOf<SearchableOptions> = { always: true, limit: true, embeddings: true };

/** The name of the tool that finds others. */
export const searchToolsName = "search_tools";

const schema = z.object({
  query: z.string().describe("What the tool should do, such as: cancel an order"),
  skip: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Leaves out so many of the best, which an earlier search with these words found"),
});

/** What a search is for, and how many of the nearest an earlier one has found. */
export type ToolSearch = z.infer<typeof schema>;

/**
 * Makes many tools fit a prompt: models see the tool `search_tools`, those of `always`, and what was found for the run.
 * An agent searches itself; what it finds stays for the run. Planners see what is found for the question, and plan
 * `search_tools` where something is missing. All tools can be called, whether they are seen or not.
 *
 * The list that is returned goes into `tools`, alone or beside others. Throws `invalid_option` for a name in `always`
 * that no tool has.
 */
export function searchable(
  tools: readonly StructuredToolInterface[],
  options: SearchableOptions = {},
): StructuredToolInterface[] {
  checkNames("searchable", options, optionNames);
  const { always = [], limit = 10, embeddings } = options;
  checkOptions(tools, always, limit);
  const kept = new Set(always);
  const hidden = tools.filter(({ name }) => !kept.has(name));
  const byWords = indexTools(hidden);
  const byMeaning = meaningOf(hidden, embeddings);
  const find = async (query: string, skip = 0) => {
    const near = await byMeaning(query);
    return fused([byWords(query), near]).slice(skip, skip + limit);
  };
  const finder = { hidden: new Set(hidden.map(({ name }) => name)), find };
  return [...tools, searchTool(finder, limit)];
}

function checkOptions(tools: unknown, always: readonly string[], limit: number): void {
  if (!Array.isArray(tools)) {
    throw invalidTool(`searchable: expected a list of LangChain tools, got ${shown(tools)}.`);
  }
  if (!Number.isInteger(limit) || limit < 1) {
    throw invalidOption(
      `searchable: limit: expected a whole number from 1 on, got ${shown(limit)}.`,
    );
  }
  const names = new Set(tools.filter(isRecord).map(({ name }) => name));
  const unknown = always.find((name) => !names.has(name));
  if (unknown === undefined) return;
  throw invalidOption(`searchable: always: there is no tool ${shown(unknown)}.`);
}

function searchTool(finder: ToolFinder, limit: number): StructuredToolInterface {
  const found = tool(
    async ({ query, skip = 0 }: ToolSearch) => {
      const names = await finder.find(query, skip);
      return [foundText(names, skip, limit), { found: names }] as const;
    },
    {
      name: searchToolsName,
      description: `Finds tools by what they do, among ${finder.hidden.size} that are not listed. Search before you say that something cannot be done. Found tools can be called from then on.`,
      schema,
      responseFormat: "content_and_artifact",
    },
  );
  return withMarks(withPolicy(found, { effect: "read" }), { finder });
}

function foundText(names: readonly string[], skip: number, limit: number): string {
  if (names.length === 0) return "No tool was found. Search with other words.";
  const found = `Found, and can be called now: ${names.join(", ")}.`;
  if (names.length < limit) return found;
  return `${found} If none of them fits, search with other words, or with "skip": ${skip + limit}.`;
}

/**
 * The nearest tools by the cosine of their descriptions, whose vectors are made with the first search. None without
 * embeddings, and none where they fail: words find tools, too.
 */
function meaningOf(
  tools: readonly StructuredToolInterface[],
  embeddings: EmbeddingsInterface | undefined,
): (query: string) => Promise<readonly string[]> {
  if (embeddings === undefined) return async () => [];
  const texts = tools.map(({ name, description }) => `${name}: ${description.slice(0, 500)}`);
  let vectors: Promise<number[][]> | undefined;
  return async (query) => {
    try {
      vectors ??= embeddings.embedDocuments(texts);
      const [asked, all] = await Promise.all([embeddings.embedQuery(query), vectors]);
      const { cosineSimilarity } = await import("@langchain/core/utils/math");
      const [scores = []] = cosineSimilarity([asked], all);
      return tools
        .map(({ name }, at) => ({ name, score: scores[at] ?? 0 }))
        .toSorted((one, other) => other.score - one.score)
        .slice(0, nearest)
        .map(({ name }) => name);
    } catch {
      vectors = undefined;
      return [];
    }
  };
}

/** How many tools are near in meaning. */
const nearest = 50;

/** The names of several lists, the best first. */
function fused(lists: readonly (readonly string[])[]): readonly string[] {
  return [...fusedRanks(lists)].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
}

/** The tools that models see: all that are not hidden, and those that the run has found. */
export function shownTools(toolbox: Toolbox, found: Iterable<string>): Toolbox {
  const hidden = new Set(findersIn(toolbox).flatMap((finder) => [...finder.hidden]));
  if (hidden.size === 0) return toolbox;
  const names = [...new Set(found)].filter((name) => hidden.has(name));
  // Found ones last: providers cache the beginning of a prompt.
  const seen = [...toolbox].filter(([name]) => !hidden.has(name));
  return new Map([
    ...seen,
    ...names.flatMap((name) => {
      const entry = toolbox.get(name);
      return entry === undefined ? [] : [[name, entry] as const];
    }),
  ]);
}

/** The tools that a planner sees: those that models see, and those that are found for its question and other searches. */
export async function toolsFor(
  toolbox: Toolbox,
  searches: readonly ToolSearch[],
  observations: readonly Observation[] = [],
): Promise<Toolbox> {
  const found = await Promise.all(
    findersIn(toolbox).flatMap(({ find }) =>
      searches.map(async ({ query, skip }) => find(query, skip)),
    ),
  );
  return shownTools(toolbox, [...found.flat(), ...foundIn(observations)]);
}

/** What a call of a plan searches tools for. */
export function searchIn(name: string, args: unknown): ToolSearch | undefined {
  return name === searchToolsName ? schema.safeParse(args).data : undefined;
}

/** The tools that a run has found. */
export function foundIn(observations: readonly Observation[]): readonly string[] {
  return observations.flatMap(({ tool: name, ok, value }) => {
    if (name !== searchToolsName || !ok || !isRecord(value)) return [];
    const { found }: Record<string, unknown> = value;
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  });
}

function findersIn(toolbox: Toolbox): readonly ToolFinder[] {
  return [...toolbox.values()].flatMap((entry) => marksOf(entry.tool).finder ?? []);
}
