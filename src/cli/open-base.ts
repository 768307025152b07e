import { statSync } from "node:fs";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { type Knowledge, openKnowledge } from "../knowledge/index.js";
import type { Environment } from "../models/model.js";
import { invalidOption } from "../run/check-names.js";

/** The base that flags name. */
type BaseFlags = {
  /** A file, or the address of a Postgres server. */
  readonly place: string;
  /** Default: `PLANGRAPH_EMBEDDINGS`, else words only. */
  readonly embeddings: string | undefined;
  /** Default: `PLANGRAPH_RERANKER_MODEL`, else no model is asked. */
  readonly rerank?: string | undefined;
  readonly terms?: string | undefined;
  /** Whether the file is made if it is not there. */
  readonly isNew?: boolean;
};

/**
 * Opens a base. Throws `invalid_option` for an address of something else than Postgres, `unreadable_file` for a file that
 * is not there, and the errors of `openKnowledge`.
 */
export async function openBase(
  { place, embeddings, rerank, terms, isNew = false }: BaseFlags,
  environment: Environment,
): Promise<Knowledge> {
  const isPostgres = /^postgres(?:ql)?:\/\//i.test(place);
  const [scheme] = /^[a-z][a-z0-9+.-]+:\/\//i.exec(place) ?? [];
  if (scheme !== undefined && !isPostgres) {
    // No more of it: there may be a password in it.
    throw invalidOption(
      `--knowledge: expected a file, or the address of a Postgres server such as postgresql://user@host:5432/database, got an address that begins with ${scheme}`,
    );
  }
  if (!isPostgres && !isNew && statSync(place, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PlangraphError(
      "unreadable_file",
      `The knowledge base ${place}: there is no such file; plangraph ingest makes one.`,
    );
  }
  const given = {
    embeddings: named(embeddings, environment["PLANGRAPH_EMBEDDINGS"]),
    rerank: named(rerank, environment["PLANGRAPH_RERANKER_MODEL"]),
    terms,
  };
  const where = isPostgres ? { postgres: place } : { file: place };
  return openKnowledge({ ...where, environment, ...defined(given) });
}

/** The first text that says anything. */
function named(...given: readonly (string | undefined)[]): string | undefined {
  return given.find((one) => (one ?? "").trim() !== "");
}
