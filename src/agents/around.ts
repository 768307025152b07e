import { dirname, resolve } from "node:path";

import type { Environment } from "../models/model.js";
import type { Problems } from "./problems.js";

/** The file in which something is named. */
export type Around = {
  readonly file: string;
  readonly problems: Problems;
  readonly environment: Environment;
};

/** A path in a file is read from the file's folder. */
export function pathFrom(file: string, path: string): string {
  return resolve(dirname(file), path);
}
