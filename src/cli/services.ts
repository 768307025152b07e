import { z } from "zod";

import { PlangraphError } from "../errors.js";
import type { Environment } from "../models/model.js";
import { estimateTokens } from "../models/usage.js";
import { addressVariable } from "../run/address-variable.js";
import { hintAt } from "../run/check-names.js";
import { previewTools, readServices, type Service } from "../services/index.js";
import { argumentSchema } from "../tools/argument-schema.js";
import { createToolbox, type ToolEntry } from "../tools/toolbox.js";
import type { CliIo } from "./io.js";
import { count, oneLine, printable } from "./view/event-lines.js";

const Given = z.object({ json: z.boolean().default(false) });

/** The maximum length of a line of the list, in characters. */
const maxLine = 200;

/** Lists the services in files and folders. Throws what `loadServices` throws, but for missing secrets. */
export async function listServicesCommand(
  files: readonly string[],
  options: unknown,
  { stdout, environment }: CliIo,
): Promise<void> {
  const { json } = Given.parse(options);
  const all = (await readServices(files)).map((service) => described(service, environment));
  if (json) {
    stdout.write(`${JSON.stringify(all)}\n`);
    return;
  }
  const total = all.reduce((sum, { tokens }) => sum + tokens, 0);
  const lines = all.map(({ name, method, url, policy, tokens, description }) =>
    oneLine(
      `${name}: ${method} ${url} (${String(policy["effect"])}, ${count(tokens, "token")}) ${description}`,
      maxLine,
    ),
  );
  const tokens = `${count(total, "token")} in each model call (estimated)`;
  stdout.write(`${[...lines, `${count(all.length, "service")}, ${tokens}.`].join("\n")}\n`);
}

/** Shows what a model sees of the services in a file, or of one of them. */
export async function showServicesCommand(
  file: string,
  name: string | undefined,
  options: unknown,
  { stdout, environment }: CliIo,
): Promise<void> {
  const { json } = Given.parse(options);
  const services = await readServices([file]);
  const chosen = name === undefined ? services : [serviceNamed(name, services, file)];
  const all = chosen.map((service) => described(service, environment));
  const text = json ? JSON.stringify(all) : all.map(shownService).join("\n\n");
  stdout.write(`${text}\n`);
}

/** The service with a name. Throws `invalid_input` with the nearest name. */
export function serviceNamed(name: string, services: readonly Service[], file: string): Service {
  const found = services.find((service) => service.name === name);
  if (found !== undefined) return found;
  const names = services.map((service) => service.name);
  const there = oneLine(`There is: ${names.join(", ")}`, 1_000);
  const message = `${file} has no service "${name}".${hintAt(name, names)} ${there}.`;
  throw new PlangraphError("invalid_input", message);
}

/** A service as its tool is: what a model sees, the policy, and where secrets go. */
type Described = {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly tokens: number;
  readonly description: string;
  readonly parameters: object;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly secrets: readonly Secret[];
};

type Secret = {
  readonly variable: string;
  readonly use: string;
  readonly to: string;
  readonly isSet: boolean;
};

function described(service: Service, environment: Environment): Described {
  const { name, request } = service;
  const { tool, policy } = entryOf(service);
  const parameters = argumentSchema(tool);
  const { description } = tool;
  const tokens = estimateTokens(JSON.stringify({ name, description, parameters }));
  const { method, url } = request;
  const { resource, ...rest } = policy;
  const told = { ...rest, ...(resource === undefined ? {} : { resource: service.resource }) };
  const secrets = secretsOf(service, environment);
  return { name, method, url, tokens, description, parameters, policy: told, secrets };
}

function entryOf(service: Service): ToolEntry {
  const [entry] = createToolbox(previewTools([service])).values();
  if (entry === undefined) throw new Error(`No tool was made of ${service.name}.`);
  return entry;
}

/** The variables that a service reads, and where their values go. */
function secretsOf({ request: { auth, url } }: Service, environment: Environment): Secret[] {
  const address = addressVariable(url);
  const to = address === undefined ? new URL(url.replaceAll(/[{}]/g, "")).host : `\${${address}}`;
  const isSet = (variable: string) => (environment[variable]?.trim() ?? "") !== "";
  const used = [auth ?? []].flat().map(({ env, type }) => ({ variable: env, use: type, to }));
  const addresses = address === undefined ? [] : [{ variable: address, use: "address", to: "" }];
  return [...addresses, ...used].map((each) => ({ ...each, isSet: isSet(each.variable) }));
}

function shownService(service: Described): string {
  const { name, method, url, tokens, description, parameters, policy, secrets } = service;
  const lines = [
    `${name}: ${method} ${url}`,
    `What a model sees (${count(tokens, "token")} in each call, estimated):`,
    ...indented(description),
    ...indented(JSON.stringify(parameters, null, 2)),
    "Policy:",
    ...Object.entries(policy).map(([field, value]) => `  ${field}: ${JSON.stringify(value)}`),
    ...(secrets.length === 0 ? [] : ["From the environment:"]),
    ...secrets.map(
      ({ variable, use, to, isSet }) =>
        `  ${variable}: ${use}${to === "" ? "" : ` to ${to}`}, ${isSet ? "set" : "not set"}`,
    ),
  ];
  return lines.map(printable).join("\n");
}

function indented(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
