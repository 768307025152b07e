import { statSync } from "node:fs";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import type { Environment } from "../models/model.js";
import { invalidOption } from "../run/check-names.js";
import type { Knowledge } from "./knowledge.js";
import { openKnowledge } from "./open-knowledge.js";

/** How a base is opened that a flag or a setting names. */
export type OpenAtOptions = {
  /** Default: `PLANGRAPH_EMBEDDINGS`, else words only. */
  readonly embeddings?: string | undefined;
  /** Default: `PLANGRAPH_RERANKER_MODEL`, else no model is asked. */
  readonly rerank?: string | undefined;
  readonly terms?: string | undefined;
  /** Whether a file is made that is not there; default false. */
  readonly isNew?: boolean | undefined;
  /** Default: `process.env`. */
  readonly environment?: Environment | undefined;
};

/**
 * Opens the base at a place: a file, or the address of a Postgres server. What is not given, the environment says. Throws
 * `invalid_option` for another address, `unreadable_file` for a file that is not there, and the errors of `openKnowledge`.
 */
export async function openKnowledgeAt(
  place: string,
  { embeddings, rerank, terms, isNew = false, environment = process.env }: OpenAtOptions = {},
): Promise<Knowledge> {
  const isPostgres = /^postgres(?:ql)?:\/\//i.test(place);
  if (!isPostgres) checkFile(place, isNew);
  const given = {
    embeddings: named(embeddings, environment["PLANGRAPH_EMBEDDINGS"]),
    rerank: named(rerank, environment["PLANGRAPH_RERANKER_MODEL"]),
    terms,
  };
  const where = isPostgres ? { postgres: place } : { file: place };
  return openKnowledge({ ...where, environment, ...defined(given) });
}

function checkFile(place: string, isNew: boolean): void {
  const [scheme] = /^[a-z][a-z0-9+.-]+:\/\//i.exec(place) ?? [];
  if (scheme !== undefined) {
    // No more of it: there may be a password in it.
    throw invalidOption(
      `The knowledge base: expected a file, or the address of a Postgres server such as postgresql://user@host:5432/database, got an address that begins with ${scheme}`,
    );
  }
  if (isNew || statSync(place, { throwIfNoEntry: false })?.isFile() === true) return;
  throw new PlangraphError(
    "unreadable_file",
    `The knowledge base ${place}: there is no such file; plangraph ingest makes one.`,
  );
}

/** The first text that says anything. */
function named(...given: readonly (string | undefined)[]): string | undefined {
  return given.find((one) => (one ?? "").trim() !== "");
}
