import { Embeddings } from "@langchain/core/embeddings";

/** Embeddings of a text's pairs of characters: near for texts that look alike. Counts what it is asked. */
export class HashedEmbeddings extends Embeddings {
  readonly model: string;
  readonly #dimension: number;
  /** The texts that were embedded as passages. */
  readonly passages: string[] = [];
  readonly queries: string[] = [];
  /** Set: it fails with this. */
  failure: Error | undefined;

  constructor(model = "hashed", dimension = 64) {
    super({});
    this.model = model;
    this.#dimension = dimension;
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    if (this.failure !== undefined) throw this.failure;
    this.passages.push(...texts);
    return texts.map((text) => this.#vectorOf(text));
  }

  override async embedQuery(text: string): Promise<number[]> {
    if (this.failure !== undefined) throw this.failure;
    this.queries.push(text);
    return this.#vectorOf(text);
  }

  #vectorOf(text: string): number[] {
    const vector = Array<number>(this.#dimension).fill(0.01);
    const plain = text.toLowerCase();
    for (let at = 0; at + 1 < plain.length; at += 1) {
      const place =
        (plain.charCodeAt(at) * 31 + plain.charCodeAt(at + 1) * 7 + this.model.length) %
        this.#dimension;
      vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  }
}
