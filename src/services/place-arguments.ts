import { defined, type Json, type JsonObject } from "../json/json.js";
import { type ListForm, parametersInUrl, type Service } from "./definition.js";

/** The place of an argument, and its name there. */
type Place = {
  readonly where: "path" | "query" | "header" | "cookie" | "body" | "wholeBody";
  readonly name: string;
  readonly list: ListForm;
  /** The content types of a file. */
  readonly file?: string;
};

/** An argument and its place. */
export type Placed = Place & {
  /** The name in the definition and for the model. */
  readonly parameter: string;
  readonly value: Json;
};

/** The default place of arguments: in the query if the method has no body. */
export function usualPlace(method: string): "query" | "body" {
  return ["GET", "HEAD", "DELETE"].includes(method) ? "query" : "body";
}

/** The place of a parameter: from the definition, or from the address and the method. */
export function placeOf(
  request: Pick<Service["request"], "method" | "url" | "in">,
  parameter: string,
): Place {
  const isInPath = parametersInUrl(request.url).includes(parameter);
  const usual = isInPath ? "path" : usualPlace(request.method);
  const given = request.in?.[parameter] ?? usual;
  const {
    in: where,
    name = parameter,
    list = "repeat",
    file,
  } = typeof given === "object" ? given : { in: given, file: undefined };
  return { where, name, list, ...defined({ file }) };
}

/** Finds the place of each argument, in the order of the call. */
export function placeArguments({ request }: Pick<Service, "request">, args: JsonObject): Placed[] {
  return Object.entries(args).flatMap(([parameter, value]) => {
    const place = placeOf(request, parameter);
    // A body can contain `null`; elsewhere `null` would be sent as a word.
    const isNothing = value === null && !["body", "wholeBody"].includes(place.where);
    return isNothing ? [] : [{ ...place, parameter, value }];
  });
}
