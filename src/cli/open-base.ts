import { statSync } from "node:fs";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { type Knowledge, openKnowledge } from "../knowledge/index.js";
import type { Environment } from "../models/model.js";

/** The base that flags name. */
type BaseFlags = {
  readonly file: string;
  /** Default: `PLANGRAPH_EMBEDDINGS`, else words only. */
  readonly embeddings: string | undefined;
  readonly terms?: string | undefined;
  /** Whether the file is made if it is not there. */
  readonly isNew?: boolean;
};

/** Opens a base. Throws `unreadable_file` for one that is not there, and the errors of `openKnowledge`. */
export async function openBase(
  { file, embeddings, terms, isNew = false }: BaseFlags,
  environment: Environment,
): Promise<Knowledge> {
  if (!isNew && statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PlangraphError(
      "unreadable_file",
      `The knowledge base ${file}: there is no such file; plangraph ingest makes one.`,
    );
  }
  const spec = [embeddings, environment["PLANGRAPH_EMBEDDINGS"]].find((one) => (one ?? "") !== "");
  return openKnowledge({ file, environment, ...defined({ embeddings: spec, terms }) });
}
