// How well a base finds the answers of Debian's FAQ, in Chinese and English, beside LangChain's usual recipe with the
// same embedding model: `EMBEDDINGS=openai:NAME npm run bench:recall` (QUERIES=openai:NAME for a model of its own for
// questions). The texts come from Debian's packages; without EMBEDDINGS the base finds by words.
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { Document } from "@langchain/core/documents";
import { OpenAIEmbeddings } from "@langchain/openai";
import { RecursiveCharacterTextSplitter } from "@langchain/textsplitters";

import { measuresOf } from "../../src/knowledge/check/measures.js";
import { type EmbeddingsInput, openKnowledge } from "../../src/knowledge/index.js";
import { debianSets, type QuestionSet } from "./debian.js";

const { EMBEDDINGS: passages = "", QUERIES: queries = passages } = process.env;
const folder = join(tmpdir(), "plangraph-recall");

type Ranks = (number | undefined)[];

/** The rank of the source that answers, among the sources found, each once. */
function rankOf(source: string, found: readonly string[]): number | undefined {
  const at = [...new Set(found)].indexOf(source);
  return at < 0 ? undefined : at + 1;
}

async function ofBase(set: QuestionSet): Promise<ReadonlyMap<string, Ranks>> {
  const embeddings: EmbeddingsInput | undefined =
    passages === "" ? undefined : { passages, queries, name: passages };
  const file = join(folder, `${set.language}-${passages.replaceAll(/\W+/g, "-")}.db`);
  const knowledge = await openKnowledge({ file, ...(embeddings && { embeddings }) });
  await knowledge.ingest(set.texts);
  const ranks = new Map<string, Ranks>();
  for (const { question, source } of set.questions) {
    const { stages, hits } = await knowledge.recall(question, { topK: 50, minScore: 0 });
    const sources = new Map(hits.map((hit) => [hit.id, hit.source]));
    for (const { stage, candidates } of stages) {
      const found = candidates.map(({ id }) => sources.get(id) ?? id);
      ranks.set(stage, [...(ranks.get(stage) ?? []), rankOf(source, found)]);
    }
  }
  await knowledge.close();
  return ranks;
}

function modelOf(spec: string): OpenAIEmbeddings {
  return new OpenAIEmbeddings({ model: spec.replace(/^\w+:/, ""), encodingFormat: "float" });
}

/** What LangChain's guide for retrieval does: parts of 1,000 characters that overlap by 200, in a vector store. */
async function ofRecipe(set: QuestionSet): Promise<Ranks> {
  const splitter = new RecursiveCharacterTextSplitter({ chunkSize: 1_000, chunkOverlap: 200 });
  const documents = await splitter.splitDocuments(
    set.texts.map(
      ({ name, content }) => new Document({ pageContent: content, metadata: { source: name } }),
    ),
  );
  const store = await MemoryVectorStore.fromDocuments(documents, modelOf(passages));
  const asked = modelOf(queries);
  const ranks: Ranks = [];
  for (const { question, source } of set.questions) {
    const found = await store.similaritySearchVectorWithScore(await asked.embedQuery(question), 50);
    ranks.push(
      rankOf(
        source,
        found.map(([document]) => String(document.metadata["source"])),
      ),
    );
  }
  return ranks;
}

function row(language: string, name: string, ranks: Ranks): string {
  const { hit1, hit5, hit10, mrr, ndcg10 } = measuresOf(ranks);
  const cells = [hit1, hit5, hit10, mrr, ndcg10].map((share) => share.toFixed(3));
  return `| ${[language, name, ...cells].join(" | ")} |`;
}

console.log("| language | way | hit@1 | hit@5 | hit@10 | MRR | nDCG@10 |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const set of debianSets(join(folder, "debian"))) {
  const ranks = await ofBase(set);
  for (const [stage, own] of ranks)
    if (stage !== "question") console.log(row(set.language, stage, own));
  if (passages !== "") console.log(row(set.language, "LangChain's recipe", await ofRecipe(set)));
}
