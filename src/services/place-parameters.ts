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

/** Finds the place of each argument, in the order of the call. Only a body can say that there is none of something. */
export function placeParameters({ request }: Pick<Service, "request">, args: JsonObject): Placed[] {
  const inUrl = new Set(parametersInUrl(request.url));
  const rest = withoutBody.has(request.method) ? "query" : "body";
  return Object.entries(args)
    .map(([parameter, value]) => {
      const given = request.in?.[parameter] ?? (inUrl.has(parameter) ? "path" : rest);
      const {
        in: where,
        name,
        list = "repeat",
      } = typeof given === "object" ? given : { in: given };
      return { where, name: where === "path" ? parameter : (name ?? parameter), list, value };
    })
    .filter(({ where, value }) => value !== null || where === "body" || where === "wholeBody");
}
