import { isJsonObject, type Json, type JsonObject } from "../json/json.js";
import { substituteReferences } from "../plan/references.js";
import type { Service } from "./definition.js";
import { UnreadableAnswer } from "./read-response.js";

/** A result that a component shows: what the model is told of it, and what the component gets. */
export type Shown = {
  readonly say: string;
  readonly render: { readonly component: string; readonly props: JsonObject };
};

/** A definition's result that is rendered. */
type Rendered = Extract<Service["result"], { readonly to: "render" }>;

/** Maps data and arguments to a component. Throws an `UnreadableAnswer` where the data has not what the component shows. */
export function shownResult(
  { component, props, say = `The user is shown the result: ${component}.` }: Rendered,
  data: Json,
  args: JsonObject,
): Shown {
  const bindings = new Map<string, Json>([
    ["data", data],
    ["args", args],
  ]);
  const shown = substituteReferences({ props }, bindings);
  const told = substituteReferences({ say }, bindings, (_, text) => text);
  const problems = [shown, told].flatMap((mapped) => (mapped.ok ? [] : mapped.problems));
  if (!shown.ok || !told.ok) {
    const message = `nothing to show as ${component}: ${problems.join("; ")}`;
    throw new UnreadableAnswer(message);
  }
  const { say: sentence } = told.args;
  return {
    say: typeof sentence === "string" ? sentence : say,
    render: { component, props: objectIn(shown.args) },
  };
}

function objectIn({ props }: JsonObject): JsonObject {
  return props !== undefined && isJsonObject(props) ? props : {};
}
