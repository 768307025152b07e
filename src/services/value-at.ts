import type { Json } from "../json/json.js";
import { substituteReferences } from "../plan/references.js";

/** The value at a place in a response (`data.items[0].name`); nothing where there is none. */
export function valueAt(response: Json, path: string): Json | undefined {
  const dot = path.startsWith("[") ? "" : ".";
  const found = substituteReferences(
    { value: `{{response${dot}${path}}}` },
    new Map([["response", response]]),
  );
  return found.ok ? found.args["value"] : undefined;
}
