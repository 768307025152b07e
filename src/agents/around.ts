import { dirname, resolve } from "node:path";

import type { FileSource } from "../files/file-source.js";
import type { Environment } from "../models/model.js";
import type { Problems } from "./problems.js";

/** The file in which something is named. */
export type Around = {
  readonly file: string;
  readonly problems: Problems;
  readonly environment: Environment;
  /** Where data files are read from; default: the disk. */
  readonly source: FileSource | undefined;
};

/** A path in a file is read from the file's folder. */
export function pathFrom(file: string, path: string): string {
  return resolve(dirname(file), path);
}
