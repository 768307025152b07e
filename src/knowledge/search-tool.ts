import type { StructuredToolInterface } from "@langchain/core/tools";
import type { RunnableConfig } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { type ParentRun, parentRunOf } from "../run/scope.js";
import { ToolError, withPolicy } from "../tools/policy.js";
import { checkSearchOptions, type SearchConfig, type SearchKnowledgeOptions } from "./options.js";
import type { Knowledge } from "./knowledge.js";
import type { Hit, Recall, RecallOptions } from "./recall/stage.js";

const schema = z.object({
  question: z
    .string()
    .describe("What to find out, as one whole question with all names that matter."),
});

/**
 * Makes a tool of a base for any graph. Its result is data: `hits`, each with `title`, `text`, `source`, `line`, and the
 * days `from` and `until` on which it holds, so that a plan's step can refer to `{{E1.hits[0].text}}`. The texts are
 * untrusted: they ground no argument, and approve nothing.
 */
export function createSearchKnowledgeTool(
  knowledge: Knowledge,
  options: SearchKnowledgeOptions = {},
): StructuredToolInterface {
  checkSearchOptions(knowledge, options);
  const { name = "search_knowledge", description = defaultDescription, topK = 5 } = options;
  const search = tool(
    async ({ question }: z.infer<typeof schema>, config: RunnableConfig & SearchConfig) => {
      const base = await accessible(knowledge, options.access, config);
      const found = await recallFor(base, question, { topK, config });
      emitStages(found, parentRunOf(config));
      return JSON.stringify(resultOf(found));
    },
    { name, description, schema },
  );
  return withPolicy(search, { effect: "read", trust: "untrusted" });
}

const defaultDescription =
  "Searches the knowledge base for passages that answer a question. An empty list means that it does not know.";

/** The base as the caller may see it. */
async function accessible(
  knowledge: Knowledge,
  access: SearchKnowledgeOptions["access"],
  config: SearchConfig,
): Promise<Knowledge> {
  if (access === undefined) return knowledge;
  const filter = (await access(config)) ?? {};
  if (Object.keys(filter).length > 0) return knowledge.restrictedTo(filter);
  throw new ToolError("denied", "It is not known what the caller may read: nothing was searched.");
}

async function recallFor(
  base: Knowledge,
  question: string,
  options: RecallOptions,
): Promise<Recall> {
  try {
    return await base.recall(question, options);
  } catch (error) {
    if (error instanceof PlangraphError && error.code === "invalid_input") {
      throw new ToolError("invalid_arguments", error.message);
    }
    throw error;
  }
}

/** The part of the best score that a hit needs: what is far behind distracts a small model. */
const leastShare = 0.25;

/** What the model reads. */
function resultOf({ hits, notes }: Recall) {
  const least = leastShare * (hits[0]?.score ?? 0);
  const near = hits.filter(({ score }) => score >= least);
  return { hits: near.map(shownHit), ...(notes.length === 0 ? {} : { notes }) };
}

function shownHit({ path, text, source, line, from, until }: Hit) {
  return { title: path.join(" > "), text, source, line, ...defined({ from, until }) };
}

/** How many hits of a stage an event names. */
const toldHits = 5;

function emitStages({ stages, hits }: Recall, parent: ParentRun | undefined): void {
  const callId = parent?.of?.callId;
  if (parent?.emit === undefined || callId === undefined) return;
  const titles = new Map(hits.map(({ id, path, source }) => [id, path.at(-1) ?? source]));
  for (const { stage, query, candidates, ms, error } of stages) {
    const best = candidates.slice(0, toldHits);
    parent.emit({
      type: "retrieved",
      callId,
      stage,
      candidates: candidates.length,
      ms,
      ...defined({ error }),
      content: {
        query,
        hits: best.map(({ id, score }) => ({ id, score, title: titles.get(id) ?? id })),
      },
    });
  }
}
