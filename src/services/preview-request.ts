import type { JsonObject } from "../json/json.js";
import { redact, redactField } from "../observe/redact.js";
import { isFileName } from "../tools/result-files.js";
import { buildRequest } from "./build-request.js";
import { fixedCredentials } from "./credentials.js";
import { addressVariable } from "../run/address-variable.js";
import { addressIn, type Service } from "./definition.js";
import type { HttpRequest } from "./http/guarded-request.js";
import { fileReader, type ReadFile } from "./sent-file.js";

/** Stand-ins for the values of environment variables, which survive the encoding of an address. */
const secretOf = (name: string) => `plangraph.secret.${name}.`;
const hostOf = (name: string) => `http://plangraph.address.${name.toLowerCase()}.`;

/**
 * The request of a call as it would be sent, with `<VARIABLE>` for every value of the environment, and with everything
 * else masked that looks like a secret. Throws as `buildRequest` does.
 */
export function previewRequest(service: Service, args: JsonObject): HttpRequest {
  const variables: string[] = [];
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        variables.push(String(name));
        return secretOf(String(name));
      },
    },
  );
  const credentials = fixedCredentials(service, environment);
  const address = addressVariable(service.request.url) ?? "";
  const url = addressIn(service.request.url, { [address]: hostOf(address) }, service.name);
  const request = { ...service.request, url };
  const built = buildRequest({ ...service, request }, args, credentials, shownFile);
  const named = (text: string) => withNames(text, variables);
  return {
    ...built,
    url: shownAddress(built.url, address, named),
    headers: Object.fromEntries(
      Object.entries(built.headers).map(([name, value]) => [
        name,
        named(value) === value ? redactField(name, value) : named(value),
      ]),
    ),
    ...(built.body === undefined ? {} : { body: redact(textOf(built.body)) }),
  };
}

const readFile = fileReader();

/** A file of a request that is only shown: of what is no text, the type and the size; of a run's file, its name. */
const shownFile: ReadFile = (value, accepted) => {
  if (isFileName(value)) return { name: value, type: accepted, bytes: inWords(value) };
  const { name, type, bytes } = readFile(value, accepted);
  const isBare = !/^data:/i.test(value);
  return { name, type, bytes: isBare ? bytes : inWords(`${type}, ${bytes.length} bytes`) };
};

function inWords(words: string): Uint8Array {
  return Buffer.from(`<${words}>`, "utf8");
}

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

/** A text with the names of variables in the place of their stand-ins, raw or in base64. */
function withNames(text: string, variables: readonly string[]): string {
  return variables.reduce((shown, name) => {
    const value = secretOf(name);
    const encoded = Buffer.from(value, "utf8").toString("base64");
    return shown.replaceAll(value, `<${name}>`).replaceAll(encoded, `<${name} in base64>`);
  }, text);
}

function shownAddress(url: string, address: string, named: (text: string) => string): string {
  const [place = "", query] = url.split(/\?(.*)/s);
  const shown = address === "" ? place : place.replace(hostOf(address), `<${address}>`);
  if (query === undefined) return redact(shown);
  const fields = query.split("&").map((field) => {
    const [name = "", value = ""] = field.split(/=(.*)/s);
    return `${name}=${named(value) === value ? redactField(name, value) : named(value)}`;
  });
  return `${redact(shown)}?${fields.join("&")}`;
}
