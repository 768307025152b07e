import { authsOf, placeOfAuth } from "./credentials.js";
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
  return nameProblem(where, name, request) ?? fileProblem(request.in?.[used], where, request);
}

/** A name that its place cannot have, or that is taken by a secret. */
function nameProblem(
  where: string,
  name: string,
  { auth }: Service["request"],
): string | undefined {
  if (where !== "header" && where !== "cookie") return undefined;
  if (!isToken(name)) return `expected a \`name\` that a ${where} can have`;
  if (where === "header") {
    // Several cookies are one header: an argument could replace those of others.
    return name.toLowerCase() === "cookie" ? "expected cookie, with the name of one" : undefined;
  }
  const isTaken = authsOf(auth).some((each) => placeOfAuth(each) === `cookie ${name}`);
  return isTaken ? "an authorization is sent as this cookie" : undefined;
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
