import { once } from "node:events";
import { createInterface } from "node:readline/promises";

import type { Ask } from "./io.js";

/** The terminal a person sits at. */
export type Terminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called for Ctrl-C, which the line editor keeps from the process. */
  readonly interrupt: () => void;
};

/** Asks for lines at a terminal, with line editing; Ctrl-D is no answer. */
export function createTerminalAsker({ input, output, interrupt }: Terminal): Ask {
  return async (prompt, { prefill, signal }) => {
    const lines = createInterface({ input, output, terminal: true });
    lines.on("SIGINT", interrupt);
    const closed = once(lines, "close").then(() => undefined);
    try {
      const answered = lines.question(prompt, { signal });
      if (prefill !== undefined) lines.write(prefill);
      return await Promise.race([answered, closed]);
    } catch (error) {
      if (!isAbort(error)) throw error;
      output.write("\n");
      return undefined;
    } finally {
      lines.close();
    }
  };
}

/** What readline throws for the signal and for Ctrl-D. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
