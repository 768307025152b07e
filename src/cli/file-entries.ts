import { type Command, InvalidArgumentError } from "commander";

import { isDataFile } from "../files/file-names.js";
import { invalidOption } from "../run/check-names.js";
import { graphs } from "./graphs.js";

/** The names of the graphs, for texts of the help. */
export const graphNames = graphs.map(({ name }) => name).join(", ");

/** The name of a graph or a file, as an argument of a command. Throws commander's error for anything else. */
export function graphOrFile(word: string): string {
  if (isDataFile(word) || graphs.some(({ name }) => name === word)) return word;
  throw new InvalidArgumentError(`Allowed choices are ${graphNames}, and agent files.`);
}

/** Throws `invalid_option` for a flag that a file has in place of the command line. */
export function checkFileFlags(command: Command, allowed: readonly string[]): void {
  const given = command.options.filter(
    (option) => command.getOptionValueSource(option.attributeName()) === "cli",
  );
  const other = given.find(({ long }) => !allowed.includes(long?.slice(2) ?? ""));
  if (other === undefined) return;
  throw invalidOption(
    `${other.long} is no flag of an agent file: what it sets stands in the file.`,
  );
}
