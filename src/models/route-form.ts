import { isRecord } from "../json/json.js";
import type { StructuredForm, Validated } from "./fitting.js";

/** What a router decides: a route, or that it is unclear which. */
export type ChosenRoute = {
  /** A route's name; nothing where it is unclear. */
  readonly route: string | undefined;
  readonly reason: string;
  /** What the user is to be asked, where it is unclear; empty where the model names nothing. */
  readonly question: string;
};

/** What stands in the place of a route's name where none fits. */
export const unclearRoute = "unclear";

/** The form of a router's decision between `names`. Prose that names exactly one of them is read too. */
export function routeForm(names: readonly string[], mayAsk: boolean): StructuredForm<ChosenRoute> {
  const choices = [...names, unclearRoute];
  return {
    name: "route",
    schema: {
      type: "object",
      properties: {
        // A small model chooses better when it has said why.
        reason: { type: "string", maxLength: 200 },
        route: { enum: choices },
        ...(mayAsk ? { question: { type: "string", maxLength: 300 } } : {}),
      },
      required: ["reason", "route"],
      additionalProperties: false,
    },
    read: (value) => readRoute(value, choices),
    // What an object says beside a route that is none is no choice.
    readText: (text) => (text.includes("{") ? wrong(choices, text) : readName(text, choices, {})),
  };
}

function readRoute(value: unknown, choices: readonly string[]): Validated<ChosenRoute> {
  if (typeof value === "string") return readName(value, choices, {});
  if (!isRecord(value)) return wrong(choices, value);
  const { route, ...said } = value;
  return typeof route === "string" ? readName(route, choices, said) : wrong(choices, route);
}

function readName(
  text: string,
  choices: readonly string[],
  { reason, question }: { readonly reason?: unknown; readonly question?: unknown },
): Validated<ChosenRoute> {
  const [name, ...others] = namesIn(text, choices);
  if (name === undefined || others.length > 0) return wrong(choices, text);
  const route = name === unclearRoute ? undefined : name;
  return { ok: true, value: { route, reason: textOf(reason), question: textOf(question) } };
}

/** The choices that a text names as whole words, each once. Of a name inside a longer one only the longer counts. */
function namesIn(text: string, choices: readonly string[]): string[] {
  const longestFirst = choices.toSorted((left, right) => right.length - left.length);
  const names = longestFirst.map((name) => name.replaceAll(/[.-]/g, String.raw`\$&`)).join("|");
  const found = text.match(new RegExp(String.raw`(?<![\w-])(?:${names})(?![\w-])`, "gi")) ?? [];
  const lower = new Set(found.map((name) => name.toLowerCase()));
  return choices.filter((name) => lower.has(name.toLowerCase()));
}

function wrong(choices: readonly string[], got: unknown): Validated<ChosenRoute> {
  const wanted = choices.map((name) => `"${name}"`).join(", ");
  const told = JSON.stringify(got)?.slice(0, 200) ?? "nothing";
  return { ok: false, problem: `expected one of ${wanted} as the route, got ${told}` };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
