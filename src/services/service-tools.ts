import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";

import { canonicalJson, defined, type JsonObject } from "../json/json.js";
import type { Environment } from "../models/model.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { commaList } from "../run/comma-list.js";
import { ClassifiedError } from "../run/errors.js";
import { parentRunOf } from "../run/scope.js";
import { type ToolPolicy, withMarks, withPolicy } from "../tools/policy.js";
import {
  changeDigits,
  exactArguments,
  nearestNumber,
  readArguments,
} from "../tools/read-arguments.js";
import { binaryContent } from "./binary-content.js";
import { buildRequest } from "./build-request.js";
import {
  callerIn,
  type Credentials,
  type CredentialSources,
  credentialsOf,
  type ReadCredentials,
} from "./credentials.js";
import { readService, type ServicePlace } from "./read-service.js";
import { addressIn, type Service, type ServiceInput } from "./definition.js";
import { readAllowHosts, type Resolve } from "./http/allow-hosts.js";
import {
  guardedRequest,
  type HttpOptions,
  type HttpRequest,
  UnreadBody,
} from "./http/guarded-request.js";
import { previewRequest } from "./preview-request.js";
import { readPages } from "./read-pages.js";
import { readResponse, type ServiceResponse } from "./read-response.js";
import { fileReader } from "./sent-file.js";
import { effectOf, policyOf } from "./service-policy.js";
import { doneAnyway, returned, type Returned } from "./service-result.js";

/** How services are called. Every field is optional. */
export type ServiceOptions = {
  /**
   * Hosts that may have private addresses: `"rooms.internal"`, `"127.0.0.1:8080"`, `"10.0.0.0/8"`. Default: the
   * comma-separated list in `PLANGRAPH_ALLOW_HOSTS`.
   */
  readonly allowHosts?: readonly string[];
  /** The variables with secrets and settings. Default: `process.env`. */
  readonly environment?: Environment;
  /** Resolves the addresses of a host. Default: the system's resolver. */
  readonly resolve?: Resolve;
  /**
   * Fetches the secrets of the person for whom a run works, by the names that definitions have as `env`: asked with each
   * call. A name that is here is never read from the environment.
   */
  readonly credentials?: CredentialSources;
  /** A policy for all tools of the call; each of its fields overrides that of the definitions. */
  readonly policy?: ToolPolicy;
};

/** A definition, and its name in errors. */
export type GivenService = {
  readonly definition: unknown;
  /** What it is called in errors. */
  readonly where: string;
  /** The file that it stands in, and where. */
  readonly place?: ServicePlace;
};

/**
 * Makes tools of service definitions, in their order. Throws `invalid_service` with the path of each problem,
 * `missing_key` if the variable of a service's secret is not set, and `invalid_option` for a host that cannot be
 * allowed.
 */
export function serviceTools(
  definitions: readonly ServiceInput[],
  options: ServiceOptions = {},
): StructuredToolInterface[] {
  checkServices("serviceTools", "service definitions", definitions, options);
  const given = definitions.map((definition, at) => ({
    definition,
    where: `Service ${at + 1}${nameOf(definition)}`,
  }));
  return toolsOf(given, options);
}

const names: NamesOf<ServiceOptions> = {
  allowHosts: true,
  environment: true,
  resolve: true,
  credentials: true,
  policy: true,
};

/** Checks the definitions and the names of the options. Throws `invalid_option`. */
export function checkServices(where: string, what: string, given: unknown, options: unknown): void {
  checkNames(where, options, names);
  if (Array.isArray(given)) return;
  throw invalidOption(`${where}: expected a list of ${what}, got ${shown(given)}.`);
}

/** Makes tools of definitions with a known source. */
export function toolsOf(
  given: readonly GivenService[],
  {
    environment = process.env,
    resolve,
    credentials,
    policy = {},
    allowHosts = commaList(environment["PLANGRAPH_ALLOW_HOSTS"]),
  }: ServiceOptions,
): StructuredToolInterface[] {
  readAllowHosts(allowHosts);
  const services = given
    .map(({ definition, where }) => readService(definition, where))
    // The effect also decides how a call is sent and how its failure is read, the time-out how many pages are read.
    .map((service) => ({
      ...addressed(service, environment),
      ...defined({ effect: policy.effect, timeoutMs: policy.timeoutMs }),
    }));
  return services.map((service) => {
    const read = credentialsOf(service, environment, credentials);
    const calling = { allowHosts, credentials: read, ...defined({ resolve }) };
    const made = createServiceTool(service, (args, config) =>
      callService(service, args, calling, config),
    );
    return withPolicy(made, defined(policy));
  });
}

/** The service with the environment's value in its address. */
function addressed(service: Service, environment: Environment): Service {
  const { name, request } = service;
  return { ...service, request: { ...request, url: addressIn(request.url, environment, name) } };
}

/** The name of an unchecked definition. */
export function nameOf(definition: unknown): string {
  const name: unknown =
    typeof definition === "object" && definition !== null ? Reflect.get(definition, "name") : "";
  return typeof name === "string" && name !== "" ? ` ("${name}")` : "";
}

/** The data for a service's calls besides its definition. */
type Calling = Pick<HttpOptions, "allowHosts" | "resolve"> & {
  readonly credentials: ReadCredentials;
};

/** The part of a run's config that a call uses. */
type CallConfig = Pick<RunnableConfig, "signal" | "metadata" | "configurable"> & {
  readonly context?: unknown;
};

/** Runs a call of a service. */
type RunCall = (args: JsonObject, config: CallConfig) => Promise<Returned>;

/** Makes the tool of a service, with its parameters unchanged and its policy. */
function createServiceTool(service: Service, runCall: RunCall): StructuredToolInterface {
  const made = new DynamicStructuredTool({
    name: service.name,
    description: descriptionOf(service),
    schema: toJsonSchema(service.parameters),
    responseFormat: "content_and_artifact",
    func: (given: JsonObject, _: unknown, config: CallConfig = {}): Promise<Returned> =>
      runCall(exactly(given, service, config), config),
  });
  const files = fileParameters(service);
  const takesFiles = files.length === 0 ? {} : { takesFiles: files };
  return withPolicy(withMarks(made, { takesExactNumbers: true, ...takesFiles }), policyOf(service));
}

/** The parameters that are files. */
function fileParameters({ request }: Service): string[] {
  return Object.entries(request.in ?? {}).flatMap(([parameter, placement]) =>
    typeof placement === "object" && placement.file !== undefined ? [parameter] : [],
  );
}

/** Sends the request of a call, and reads its response, with the pages after it. */
async function callService(
  service: Service,
  args: JsonObject,
  calling: Calling,
  config: CallConfig,
): Promise<Returned> {
  const { signal = new AbortController().signal } = config;
  const credentials = await calling.credentials({ ...callerIn(config), signal });
  const sent = requestOf(service, args, credentials, config);
  const response = await answerTo(service, sent, calling, signal);
  if (service.pages !== undefined && effectOf(service) === "read") {
    const soon = pageSignal(service, signal);
    const ask = (url: string) =>
      answerTo(service, { ...sent, url: withQuery(url, credentials) }, calling, soon);
    const { items, note } = await readPages(service, sent.url, response, ask);
    return returned(service, args, response, items, note);
  }
  return doneAnyway(service, response, () => {
    const data = readResponse(service, response);
    const { headers, bytes } = response;
    if (bytes !== undefined) return [binaryContent({ headers, bytes }), undefined];
    return returned(service, args, response, data);
  });
}

/** The share of the time-out that later pages may take: after it, a run would lose the pages that were read. */
const pageShare = 0.8;

function pageSignal({ timeoutMs = 30_000 }: Service, signal: AbortSignal): AbortSignal {
  const soon = Number.isFinite(timeoutMs) ? [AbortSignal.timeout(timeoutMs * pageShare)] : [];
  return AbortSignal.any([signal, ...soon]);
}

/** The address of a page with a key that is sent in the query; most services leave it out of their links. */
function withQuery(address: string, credentials: Credentials): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(credentials.query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Makes tools that return the request of a call as JSON, as it would be sent: nothing is sent, no secret is needed, and
 * the names of the variables stand where their values go.
 */
export function previewTools(services: readonly Service[]): StructuredToolInterface[] {
  return services.map((service) =>
    createServiceTool(service, async (args) => [
      JSON.stringify(previewRequest(service, args)),
      undefined,
    ]),
  );
}

/** The arguments with the exact digits that LangChain's check would lose, if they belong to this call. */
function exactly(args: JsonObject, { parameters }: Service, { metadata }: CallConfig): JsonObject {
  const exact: unknown = metadata?.[exactArguments];
  if (exact === undefined) return args;
  const read = readArguments(exact);
  const rounded = canonicalJson(changeDigits(exact, parameters, nearestNumber));
  return read.ok && rounded === canonicalJson(args) ? read.args : args;
}

/** Headers that do not identify the caller. */
const openHeaders: ReadonlySet<string> = new Set(["accept", "content-type"]);

/** The request of a call. A change carries a key by which the service knows a repetition. */
function requestOf(
  service: Service,
  args: JsonObject,
  credentials: Credentials,
  config: CallConfig,
): HttpRequest {
  const { metadata } = config;
  const readFile = fileReader(parentRunOf(config)?.files);
  const built = buildRequest(service, args, credentials, readFile);
  const key: unknown = metadata?.["idempotencyKey"];
  return effectOf(service) !== "read" && typeof key === "string"
    ? { ...built, headers: { "idempotency-key": key, ...built.headers } }
    : built;
}

async function answerTo(
  { request }: Service,
  sent: HttpRequest,
  { allowHosts, resolve }: Calling,
  signal: AbortSignal,
): Promise<ServiceResponse> {
  try {
    return await guardedRequest(sent, {
      allowHosts,
      ...defined({ resolve }),
      maxBytes: request.maxBytes,
      signal,
      // Other fixed headers of a definition may hold keys, too.
      secretHeaders: Object.keys(sent.headers).filter((name) => !openHeaders.has(name)),
    });
  } catch (error) {
    // A response whose body cannot be read still has a status.
    if (!(error instanceof ClassifiedError) || !(error.cause instanceof UnreadBody)) throw error;
    return { ...error.cause.answer, text: "", unread: error };
  }
}

/** The description of a service for the model. */
function descriptionOf({ description, extendedDescription, examples = [] }: Service): string {
  const asked = examples.map((example) => `- ${example}`).join("\n");
  const parts = [
    description,
    extendedDescription,
    asked === "" ? undefined : `For example:\n${asked}`,
  ];
  return parts.filter((part) => part !== undefined).join("\n");
}
