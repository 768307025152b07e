import { CommanderError } from "commander";

import { PlangraphError } from "../errors.js";
import { errorLine, errorText } from "../observe/redact.js";
import { type CliIo, errorStatus, exitStatus } from "./io.js";
import { createProgram } from "./program.js";

/** A further word that belongs to `--tools`: the path of a module. */
const modulePath = /^\S+\.(?:js|mjs|cjs|ts|mts)$/;

/** Runs the command line and returns the exit status; never throws: errors are printed to the standard error. */
export async function runCli(argv: readonly string[], version: string, io: CliIo): Promise<number> {
  let status: number = exitStatus.answered;
  const program = createProgram(version, io, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync(spreadToolFiles(argv), { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitStatus.usage;
    io.stderr.write(`plangraph: ${messageOf(error)}\n`);
    return errorStatus(error);
  }
}

/** Our own messages are shown in full; for other errors the first line is enough. */
function messageOf(error: unknown): string {
  return error instanceof PlangraphError ? errorText(error, 8_000) : errorLine(error, 1_000);
}

/** `--tools a.js b.js` as `--tools a.js --tools b.js`, so that a question may follow. */
export function spreadToolFiles(argv: readonly string[]): string[] {
  let isOpen = false;
  return argv.flatMap((word, at) => {
    if (word.startsWith("-")) {
      isOpen = word === "--tools";
      return [word];
    }
    const isFirst = argv[at - 1] === "--tools";
    isOpen &&= isFirst || modulePath.test(word);
    return isOpen && !isFirst ? ["--tools", word] : [word];
  });
}
