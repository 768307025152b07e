import { isRecord, type Json } from "../json/json.js";
import { referencesIn, unreadableReferencesIn } from "../plan/step.js";
import { requiredOf } from "../tools/argument-schema.js";
import type { Service } from "./definition.js";
import { amount } from "./meets.js";
import { placeOf, takesMore } from "./place-parameters.js";
import { isHeaderName } from "./request-definition.js";
import { type SchemaProblem, schemaProblems } from "./schema-problems.js";
import { addressForm, isAddress, parametersInUrl } from "./url-template.js";

/** The fields of a definition that speak of one another. */
type Checked = Pick<Service, "parameters" | "request" | "success" | "result">;

/** What is wrong with a definition whose fields are right one by one: what could be read and would never work. */
export function definitionProblems(service: Checked): SchemaProblem[] {
  const wrong = schemaProblems(service.parameters, ["parameters"]);
  if (wrong.length > 0) return wrong;
  const { properties } = service.parameters;
  const known = isRecord(properties) ? Object.keys(properties) : [];
  return [
    ...requiredProblems(service, known),
    ...urlProblems(service, known),
    ...placeProblems(service, known),
    ...bodyProblems(service, known),
    ...successProblems(service),
    ...renderProblems(service, known),
  ];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

function requiredProblems({ parameters }: Checked, known: readonly string[]): SchemaProblem[] {
  if (takesMore(parameters)) return [];
  const message = `there is no such parameter; there are: ${listed(known)}`;
  return requiredOf(parameters)
    .filter((name) => !known.includes(name))
    .map((input) => ({ path: ["parameters", "required"], message, input }));
}

function urlProblems({ request: { url } }: Checked, known: readonly string[]): SchemaProblem[] {
  const unknown = parametersInUrl(url).filter((used) => !known.includes(used));
  const messages = unknown.map((used) =>
    url.includes(`\${${used}}`)
      ? `\${${used}} is read from the environment only where the address begins with it`
      : `{${used}} is no parameter; the parameters are: ${listed(known)}`,
  );
  if (unknown.length === 0) messages.push(...addressProblems(url));
  return messages.map((message) => ({ path: ["request", "url"], message, input: url }));
}

function addressProblems(url: string): string[] {
  if (url.includes("{{")) return ["a parameter stands in single braces: {name}"];
  const isCalled = !addressForm.test(url) || isAddress(url);
  return isCalled ? [] : ["expected an address that can be called, without a user name"];
}

function placeProblems({ request }: Checked, known: readonly string[]): SchemaProblem[] {
  const inUrl = parametersInUrl(request.url);
  return Object.entries(request.in ?? {}).flatMap(([used, input]) => {
    const { where, name } = placeOf(request, used);
    const path = ["request", "in", used];
    const problem = (message: string): SchemaProblem[] => [{ path, message, input }];
    if (!known.includes(used)) {
      return problem(`there is no such parameter; there are: ${listed(known)}`);
    }
    if (inUrl.includes(used) && where !== "path") {
      return problem(`the address names {${used}}: expected path`);
    }
    if (where === "path" && !inUrl.includes(used)) {
      return problem(`the address has no {${used}} that stands for it`);
    }
    return where === "header" && !isHeaderName(name)
      ? problem("expected a `name` that a header can have")
      : [];
  });
}

/** What is all of the body leaves no room for fields of it. */
function bodyProblems({ request }: Checked, known: readonly string[]): SchemaProblem[] {
  const places = known.map((parameter) => ({
    parameter,
    where: placeOf(request, parameter).where,
  }));
  const whole = places.find(({ where }) => where === "wholeBody")?.parameter;
  if (whole === undefined) return [];
  const others = places
    .filter(({ parameter, where }) => parameter !== whole && /body/i.test(where))
    .map(({ parameter }) => parameter);
  if (request.body !== undefined) others.push("request.body");
  if (others.length === 0) return [];
  const message = `wholeBody is all of the body, and these go there as well: ${listed(others)}`;
  return [{ path: ["request", "in", whole], message, input: request.in?.[whole] }];
}

function successProblems({ success }: Checked): SchemaProblem[] {
  if (success === undefined || success.operator === "exists") return [];
  const { operator, target: input } = success;
  const problem = (message: string): SchemaProblem[] => [
    { path: ["success", "target"], message, input },
  ];
  if (input === undefined) return problem(`expected what the value is compared with (${operator})`);
  return /[<>]/.test(operator) && Number.isNaN(amount(input))
    ? problem(`expected a number to compare with (${operator})`)
    : [];
}

function renderProblems({ result }: Checked, known: readonly string[]): SchemaProblem[] {
  if (typeof result !== "object" || result.to !== "render") return [];
  const fields: readonly (readonly [string, Json])[] = [
    ["props", result.props],
    ["say", result.say ?? ""],
  ];
  return fields.flatMap(([field, input]) => {
    const unknown = referencesIn(input).filter(
      ({ id, path: [name] }) =>
        id !== "data" && !(id === "args" && (name === undefined || known.includes(String(name)))),
    );
    return [...unknown.map(({ text }) => text), ...unreadableReferencesIn(input)].map((text) => ({
      path: ["result", field],
      message: `expected {{data.path}}, or {{args.name}} of one of the parameters (${listed(known)})`,
      input: text,
    }));
  });
}
