import { authsOf, placeInRequest, placeOfAuth } from "./credentials.js";
import { isToken, parametersInUrl, type Service } from "./definition.js";
import { placeOf } from "./place-arguments.js";

/** Why a parameter cannot be where a definition puts it, if so. */
export function placeProblem(request: Service["request"], used: string): string | undefined {
  const { where, name, list } = placeOf(request, used);
  const isInUrl = parametersInUrl(request.url).includes(used);
  if (isInUrl !== (where === "path")) {
    return isInUrl
      ? `the address names {${used}}: expected path`
      : `the address has no {${used}} for it`;
  }
  if (["label", "matrix"].includes(list) && where !== "path") {
    return `the list form ${list} is one of a path`;
  }
  return nameProblem(where, name) ?? fileProblem(request.in?.[used], where, request);
}

/** A name that its place cannot have. */
function nameProblem(where: string, name: string): string | undefined {
  if (where !== "header" && where !== "cookie") return undefined;
  if (!isToken(name)) return `expected a \`name\` that a ${where} can have`;
  // Several cookies are one header: an argument could replace those of others.
  const isAll = where === "header" && name.toLowerCase() === "cookie";
  return isAll ? "expected cookie, with the name of one" : undefined;
}

/** Why a parameter cannot be sent: a secret stands in its place, which the model would replace, or send beside it. */
export function secretProblem(request: Service["request"], used: string): string | undefined {
  const { where, name } = placeOf(request, used);
  const place = placeInRequest(where, name);
  const isTaken = authsOf(request.auth).some((auth) => placeOfAuth(auth) === place);
  return isTaken
    ? `an authorization is sent as this ${where === "query" ? "query parameter" : where}`
    : undefined;
}

/** A file needs a body that can hold one. */
function fileProblem(
  given: NonNullable<Service["request"]["in"]>[string] | undefined,
  where: string,
  { bodyFormat }: Service["request"],
): string | undefined {
  if (typeof given !== "object" || given.file === undefined) return undefined;
  if (given.list !== undefined) return "a file has no `list`: a list of files is sent as such";
  const isPart = where === "body" && bodyFormat === "multipart";
  const isWhole = where === "wholeBody" && bodyFormat === "text";
  return isPart || isWhole
    ? undefined
    : 'a file is in the `body` of bodyFormat "multipart", or the `wholeBody` of "text"';
}
