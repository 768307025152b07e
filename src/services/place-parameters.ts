import type { Json, JsonObject } from "../plan/json.js";
import type { Service } from "./definition.js";
import { parametersInUrl } from "./url-template.js";

/** Where an argument goes, and under which name. */
export type Placed = {
  readonly where: "path" | "query" | "header" | "body" | "wholeBody";
  readonly name: string;
  readonly list: "repeat" | "comma" | "space" | "pipe";
  readonly value: Json;
};

/** Methods whose arguments go to the query where nothing else is said: they have no body. */
const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);

/** Finds the place of each argument, in the order of the call. */
export function placeParameters({ request }: Pick<Service, "request">, args: JsonObject): Placed[] {
  const inUrl = new Set(parametersInUrl(request.url));
  const rest = withoutBody.has(request.method) ? "query" : "body";
  return Object.entries(args).flatMap(([parameter, value]) => {
    const given = request.in?.[parameter];
    const {
      in: where,
      name = parameter,
      list = "repeat",
    } = typeof given === "object" ? given : { in: given ?? (inUrl.has(parameter) ? "path" : rest) };
    // A body can say that there is none of something; elsewhere `null` would be a word.
    if (value === null && where !== "body" && where !== "wholeBody") return [];
    return [{ where, name: where === "path" ? parameter : name, list, value }];
  });
}
