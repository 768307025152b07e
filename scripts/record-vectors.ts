// Records the vectors of the shop's base and questions, so that tests need no model:
// `EMBEDDINGS=openai:NAME QUERIES=openai:NAME npm run record:vectors`.
import { writeFileSync } from "node:fs";

import type { Embeddings } from "@langchain/core/embeddings";
import { OpenAIEmbeddings } from "@langchain/openai";

import { openKnowledge, readQuestions } from "../src/knowledge/index.js";
import { packVector } from "../test/support/recorded-embeddings.js";

const { EMBEDDINGS: passages = "", QUERIES: queries = passages } = process.env;
const recorded: Record<"passages" | "queries", Record<string, string>> = {
  passages: {},
  queries: {},
};
const modelOf = (spec: string) =>
  new OpenAIEmbeddings({ model: spec.replace(/^\w+:/, ""), encodingFormat: "float" });

/** Asks a model, and keeps what it says. */
function recording(asked: Embeddings): Embeddings {
  return Object.assign(Object.create(asked), {
    embedDocuments: async (texts: string[]) => {
      const vectors = await asked.embedDocuments(texts);
      for (const [at, text] of texts.entries())
        recorded.passages[text] = packVector(vectors[at] ?? []);
      return vectors;
    },
    embedQuery: async (text: string) => {
      const vector = await asked.embedQuery(text);
      recorded.queries[text] = packVector(vector);
      return vector;
    },
  });
}

const knowledge = await openKnowledge({
  embeddings: {
    passages: recording(modelOf(passages)),
    queries: recording(modelOf(queries)),
    name: "recorded",
  },
  terms: "examples/shop/terms.yaml",
});
await knowledge.ingest(["examples/shop/knowledge"]);
await knowledge.check(await readQuestions("examples/shop/questions.csv"));
const file = new URL("../test/fixtures/knowledge/shop-vectors.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(recorded)}\n`);
