import { once } from "node:events";
import { createInterface, type Interface } from "node:readline/promises";

import type { Ask } from "./io.js";
import { printable } from "./view/event-lines.js";

/** The terminal a person sits at. */
type Terminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called for Ctrl-C, which the line editor does not pass to the process. */
  readonly interrupt: () => void;
};

/** Asks for lines at a terminal, with line editing; Ctrl-D is not an answer. */
export function createTerminalAsker({ input, output, interrupt }: Terminal): Ask {
  let messages: string[] = [];
  /** The further lines of a text that was pasted as a message. */
  const pasted: string[] = [];
  return async (prompt, { prefill, signal, isMessage = false }) => {
    const [next] = isMessage ? pasted.splice(0, 1) : [];
    if (next !== undefined) {
      output.write(`${prompt}${printable(next)}\n`);
      return next;
    }
    const history = isMessage ? [...messages] : [];
    const lines = createInterface({ input, output, terminal: true, history });
    lines.on("SIGINT", () => {
      if (isMessage && lines.line !== "") emptyLine(lines);
      else interrupt();
    });
    if (isMessage) {
      lines.on("line", (line) => pasted.push(line));
      lines.on("history", (known) => (messages = [...known]));
    }
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

/** Removes what was typed, before and after the cursor. */
function emptyLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: "e" });
  lines.write(null, { ctrl: true, name: "u" });
}

/** The errors that readline throws for the signal and for Ctrl-D. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
