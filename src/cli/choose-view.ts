import type { GivenFlags } from "./flags.js";
import type { CliIo } from "./io.js";
import { createPlainView } from "./plain-view.js";
import { createTerminalView } from "./terminal-view.js";
import type { View } from "./view.js";

/**
 * How this run is shown: drawn where progress goes to a terminal, in plain lines where it does not.
 * With `--json` the standard output is the object's alone; with `--quiet` only the answer is shown.
 */
export function chooseView(
  { json, quiet }: Pick<GivenFlags, "json" | "quiet">,
  { stdout, stderr, environment }: CliIo,
): View {
  const out = json ? stderr : stdout;
  const answer = json ? undefined : stdout;
  if (quiet) return createPlainView({ progress: undefined, answer });
  if (out.isTTY !== true || environment["TERM"] === "dumb") {
    return createPlainView({ progress: out, answer });
  }
  const colour = (environment["NO_COLOR"] ?? "") === "";
  return createTerminalView(out, { colour, answers: !json });
}
