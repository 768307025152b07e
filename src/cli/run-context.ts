import { parsedJson } from "../json/json.js";
import { type GivenFlags, namedValue } from "./flags.js";

/** What a run of the command line is called with: its thread, who asks, and its context. */
export function runConfig(thread: string, { user, context }: Pick<GivenFlags, "user" | "context">) {
  // As a server that knows the caller gives it.
  const caller = user === undefined ? {} : { langgraph_auth_user: { identity: user } };
  const own = context.length === 0 ? {} : { context: contextIn(context) };
  return { configurable: { thread_id: thread, ...caller }, ...own };
}

/** Reads `--context NAME=VALUE`: a value that is JSON is taken as such. Throws `invalid_option`. */
function contextIn(flags: readonly string[]): Readonly<Record<string, unknown>> {
  const pairs = flags.map((flag): [string, unknown] => {
    const [name, value] = namedValue("--context", flag);
    return [name, parsedJson(value) ?? value];
  });
  return Object.fromEntries(pairs);
}
