import type { Json, JsonObject } from "../json/json.js";
import type { Service } from "./definition.js";
import { parametersInUrl } from "./url-template.js";

/** Where an argument goes, and under which name. */
type Place = {
  readonly where: "path" | "query" | "header" | "body" | "wholeBody";
  readonly name: string;
  readonly list: "repeat" | "comma" | "space" | "pipe";
};

/** An argument and where it goes. */
export type Placed = Place & {
  /** What the definition calls it, and the model. */
  readonly parameter: string;
  readonly value: Json;
};

/** Methods whose arguments go to the query where nothing else is said: they have no body. */
const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);

/** Where a parameter goes: to the place that the definition says, or to the one that its method has for all others. */
export function placeOf(
  request: Pick<Service["request"], "method" | "url" | "in">,
  parameter: string,
): Place {
  const rest = withoutBody.has(request.method) ? "query" : "body";
  const usual = parametersInUrl(request.url).includes(parameter) ? "path" : rest;
  const given = request.in?.[parameter] ?? usual;
  const {
    in: where,
    name = parameter,
    list = "repeat",
  } = typeof given === "object" ? given : { in: given };
  return { where, name: where === "path" ? parameter : name, list };
}

/** Finds the place of each argument, in the order of the call. */
export function placeParameters({ request }: Pick<Service, "request">, args: JsonObject): Placed[] {
  return Object.entries(args).flatMap(([parameter, value]) => {
    const place = placeOf(request, parameter);
    // A body can say that there is none of something; elsewhere `null` would be a word.
    const isNothing = value === null && !["body", "wholeBody"].includes(place.where);
    return isNothing ? [] : [{ ...place, parameter, value }];
  });
}

/** Keywords with which a schema allows more than the properties that it lists. */
const more = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"];

/** Whether parameters may have names that they do not list; only what is written counts. */
export function takesMore(parameters: Service["parameters"]): boolean {
  const { additionalProperties = false } = parameters;
  return additionalProperties !== false || more.some((keyword) => keyword in parameters);
}
