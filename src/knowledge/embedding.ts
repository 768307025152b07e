import type { EmbeddingsInterface } from "@langchain/core/embeddings";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { splitSpec } from "../models/open-model.js";
import { keepSecret } from "../observe/redact.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import type { KnowledgeStore } from "./store/store.js";

/**
 * An embedding model: any `Embeddings` of LangChain, or a spec, `openai:NAME` or `ollama:NAME`. Many models want a
 * question marked as one; `openai:` and `ollama:` models of the families e5, bge, nomic-embed, mxbai, embeddinggemma and
 * qwen3-embedding are asked as their makers say, all others as they are.
 */
export type EmbeddingModel = string | EmbeddingsInterface;

/** An embedding model with what belongs to it. */
export type EmbeddingsInput =
  | EmbeddingModel
  | {
      /** Embeds the texts of the base. */
      readonly passages: EmbeddingModel;
      /** Embeds questions, if that is another model, or the same under another name. */
      readonly queries?: EmbeddingModel;
      /** What a text begins with; default: that of the model's family. */
      readonly prefixes?: { readonly query?: string; readonly passage?: string };
      /** The name under which the base remembers the model; default: the spec, or the instance's model. */
      readonly name?: string;
    };

/** An embedding model, ready to be called. */
export type Embedding = {
  /** Names the model and how it is asked: vectors of another one do not fit. */
  readonly id: string;
  readonly passages: (texts: readonly string[]) => Promise<readonly number[][]>;
  readonly query: (text: string) => Promise<readonly number[]>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes an embedding model ready. Throws `invalid_model` for anything else, and `missing_key`. */
export async function openEmbedding(
  given: EmbeddingsInput,
  environment: Environment,
): Promise<Embedding> {
  const { passages, queries = passages, name = nameOf(passages), prefixes: own } = partsOf(given);
  const prefixes = { ...familyOf(name), ...own };
  const ofPassages = await openOne(passages, environment);
  const ofQueries = queries === passages ? ofPassages : await openOne(queries, environment);
  const { query = "", passage = "" } = prefixes;
  return {
    id: [name, query, passage].filter((part) => part !== "").join(" | "),
    passages: async (texts) =>
      listed(await ofPassages.embedDocuments(texts.map((text) => `${passage}${text}`))),
    query: async (text) => ofQueries.embedQuery(`${query}${text}`),
  };
}

type Parts = Exclude<EmbeddingsInput, EmbeddingModel>;

const partNames = {
  passages: true,
  queries: true,
  prefixes: true,
  name: true,
} satisfies NamesOf<Parts>;

const prefixNames = { query: true, passage: true } satisfies NamesOf<Prefixes>;

function partsOf(given: EmbeddingsInput): Parts {
  if (typeof given === "string" || isEmbeddings(given)) return { passages: given };
  if (!isRecord(given) || !("passages" in given)) throw wrong("embeddings", given);
  checkParts(given);
  return given;
}

function checkParts(given: Parts): void {
  checkNames("embeddings", given, partNames);
  const { passages, queries = passages, name, prefixes } = given;
  for (const [part, model] of Object.entries({ passages, queries })) {
    if (typeof model !== "string" && !isEmbeddings(model)) throw wrong(`embeddings.${part}`, model);
  }
  checkText("embeddings.name", name);
  checkNames("embeddings.prefixes", prefixes, prefixNames);
  checkText("embeddings.prefixes.query", prefixes?.query);
  checkText("embeddings.prefixes.passage", prefixes?.passage);
}

function checkText(where: string, text: unknown): void {
  if (text === undefined || typeof text === "string") return;
  throw invalidOption(`${where}: expected a text, got ${shown(text)}.`);
}

/** What a model of the caller gave for texts. Throws for anything else than a list. */
function listed(vectors: unknown): readonly number[][] {
  if (Array.isArray(vectors)) return vectors;
  throw new TypeError(`it gave ${shown(vectors)}, not a list of vectors`);
}

function nameOf(model: EmbeddingModel): string {
  if (typeof model === "string") return model.trim();
  const named: unknown = Reflect.get(model, "model") ?? Reflect.get(model, "modelName");
  return typeof named === "string" && named !== "" ? named : model.constructor.name;
}

type Prefixes = { readonly query?: string; readonly passage?: string };

/** What the makers of well-known families want texts to begin with, from their model cards. */
const families: readonly (readonly [family: RegExp, prefixes: Prefixes])[] = [
  [/e5-.*instruct/, { query: "Instruct: Retrieve passages that answer the question\nQuery: " }],
  [/\be5-/, { query: "query: ", passage: "passage: " }],
  [/bge-(?:small|base|large)-zh/, { query: "为这个句子生成表示以用于检索相关文章：" }],
  [
    /bge-(?:small|base|large)-en|mxbai-embed/,
    { query: "Represent this sentence for searching relevant passages: " },
  ],
  [/nomic-embed/, { query: "search_query: ", passage: "search_document: " }],
  [/embedding-?gemma/, { query: "task: search result | query: ", passage: "title: none | text: " }],
  [
    /qwen3-embedding/,
    { query: "Instruct: Given a question, retrieve passages that answer it\nQuery: " },
  ],
];

function familyOf(name: string): Prefixes {
  return families.find(([family]) => family.test(name.toLowerCase()))?.[1] ?? {};
}

async function openOne(
  model: EmbeddingModel,
  environment: Environment,
): Promise<EmbeddingsInterface> {
  return typeof model === "string" ? openSpec(model, environment) : model;
}

function wrong(where: string, came: unknown): PlangraphError {
  return new PlangraphError("invalid_model", `${where}: expected ${forms}, got ${shown(came)}.`);
}

function isEmbeddings(value: unknown): value is EmbeddingsInterface {
  if (!isRecord(value)) return false;
  return [value["embedQuery"], value["embedDocuments"]].every((one) => typeof one === "function");
}

const forms = '"openai:NAME", "ollama:NAME" or embeddings of LangChain';

async function openSpec(spec: string, environment: Environment): Promise<EmbeddingsInterface> {
  const [provider, model] = splitSpec(spec);
  if (provider === "ollama") {
    const { OLLAMA_BASE_URL: url = "http://127.0.0.1:11434/v1" } = environment;
    return openCompatible(model, "ollama", url);
  }
  if (provider !== "openai") {
    throw new PlangraphError("invalid_model", `Expected ${forms}, got "${spec}".`);
  }
  const { OPENAI_API_KEY: key = "", OPENAI_BASE_URL: url = "" } = environment;
  if (key === "") {
    throw new PlangraphError(
      "missing_key",
      `The embedding model "${spec}" needs a key: set OPENAI_API_KEY (any text for a local server that OPENAI_BASE_URL names).`,
    );
  }
  const made = await openCompatible(model, key, url);
  keepSecret(key, made);
  return made;
}

async function openCompatible(
  model: string,
  apiKey: string,
  baseURL: string,
): Promise<EmbeddingsInterface> {
  const { OpenAIEmbeddings } = await import("@langchain/openai");
  return new OpenAIEmbeddings({
    model,
    apiKey,
    maxRetries: 2,
    // The default, packed numbers, is more than some servers know.
    encodingFormat: "float",
    configuration: baseURL === "" ? {} : { baseURL },
  });
}

/** The model whose vectors a base holds. */
export type BaseEmbedding = { readonly id: string; readonly dimension: number };

const KnownEmbedding = z.object({ id: z.string(), dimension: z.number() });

/** The model that a base keeps as a fact, if it has vectors. */
export async function embeddingOf(
  store: Pick<KnowledgeStore, "fact">,
): Promise<BaseEmbedding | undefined> {
  const fact = await store.fact("embedding");
  return fact === undefined ? undefined : KnownEmbedding.parse(fact);
}

/** Whether this is a vector that has a direction. */
export function isVector(vector: readonly number[]): boolean {
  if (!Array.isArray(vector) || vector.length === 0) return false;
  return vector.every(Number.isFinite) && vector.some((number) => number !== 0);
}
