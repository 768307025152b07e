export { type KnowledgeCheck, type LabelledQuestion } from "./check/check.js";
export { readQuestions } from "./check/read-questions.js";
export { type Measures, type Refusal } from "./check/measures.js";
export { type EmbeddingModel, type EmbeddingsInput } from "./embedding.js";
export { type IngestProblem, type IngestProgress, type IngestReport } from "./ingest/ingest.js";
export { type KnowledgeSource } from "./ingest/sources.js";
export { Knowledge } from "./knowledge.js";
export { openKnowledge } from "./open-knowledge.js";
export { openKnowledgeAt, type OpenAtOptions } from "./open-knowledge-at.js";
export {
  type CheckOptions,
  type IngestOptions,
  type KnowledgeOptions,
  type SearchConfig,
  type SearchKnowledgeOptions,
} from "./options.js";
export { type Metadata, type Piece, type SourceContent, type SourceProblem } from "./read/piece.js";
export { type SourceReader } from "./read/read-source.js";
export { type RerankInput } from "./recall/open-reranker.js";
export {
  type Features,
  type Hit,
  type Recall,
  type RecallOptions,
  type RecallStage,
  type Reranker,
  type StageName,
} from "./recall/stage.js";
export { KnowledgeRetriever } from "./retriever.js";
export { createSearchKnowledgeTool } from "./search-tool.js";
export { type PostgresAddress } from "./store/postgres-client.js";
export { type Chunk, type Filter, type Scored, type StoredSource } from "./store/store.js";
export { type TermsInput } from "./text/terms.js";
