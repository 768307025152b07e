import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";

import type { Hit, Recall, RecallOptions } from "./recall/stage.js";

/** What the retriever asks. */
type Recalling = {
  readonly recall: (question: string, options: RecallOptions) => Promise<Recall>;
};

/** A base as a retriever of LangChain. The metadata of a document say where it stands and how well it fits. */
export class KnowledgeRetriever extends BaseRetriever {
  override lc_namespace = ["plangraph", "knowledge"];
  readonly #knowledge: Recalling;
  readonly #options: RecallOptions;

  constructor(knowledge: Recalling, options: RecallOptions = {}) {
    super();
    this.#knowledge = knowledge;
    this.#options = options;
  }

  override async _getRelevantDocuments(
    query: string,
    run?: CallbackManagerForRetrieverRun,
  ): Promise<Document[]> {
    const callbacks = run === undefined ? {} : { callbacks: run.getChild() };
    const config = { ...this.#options.config, ...callbacks };
    const { hits } = await this.#knowledge.recall(query, { ...this.#options, config });
    return hits.map(documentOf);
  }
}

function documentOf({ id, text, source, line, path, metadata, score, from, until }: Hit): Document {
  return new Document({
    id,
    pageContent: text,
    metadata: { ...metadata, id, source, line, path, score, from, until },
  });
}
