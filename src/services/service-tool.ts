import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { DynamicStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";
import type { RunnableConfig } from "@langchain/core/runnables";

import type { Json, JsonObject } from "../plan/json.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { type ToolPolicy, withPolicy } from "../tools/policy.js";
import { buildRequest } from "./build-request.js";
import type { Credentials } from "./credentials.js";
import type { Service } from "./definition.js";
import { guardedRequest } from "./http/guarded-request.js";
import type { HttpOptions } from "./http/http-request.js";
import { readResponse } from "./read-response.js";
import { shownResult } from "./shown-result.js";

/** What the calls of a service need besides its definition. */
export type Calling = Pick<HttpOptions, "allowHosts" | "resolve"> & {
  readonly credentials: Credentials;
};

/** What a call gets of its run's config. */
type CallConfig = Pick<RunnableConfig, "signal" | "metadata">;

/** What a tool returns to LangChain: what the model reads, and what a front end shows. */
type Returned = [content: string, artifact: Json | undefined];

/** Makes the tool of a service: its parameters as they are, its policy, and a call that is one request. */
export function createServiceTool(service: Service, calling: Calling): StructuredToolInterface {
  const { name, parameters, result } = service;
  // What was not asked for is shown as nothing: the service has answered all the same.
  const absent = Object.fromEntries(
    Object.keys(propertiesOf(parameters)).map((each) => [each, ""]),
  );
  const made = new DynamicStructuredTool({
    name,
    description: descriptionOf(service),
    schema: toJsonSchema(parameters),
    responseFormat: "content_and_artifact",
    func: async (args: JsonObject, _: unknown, config: CallConfig = {}): Promise<Returned> => {
      const data = await answerTo(service, args, calling, config);
      if (typeof result !== "object" || result.to !== "render") return [textOf(data), undefined];
      const { say, render } = shownResult(result, data, { ...absent, ...args });
      return [say, { value: data, render }];
    },
  });
  return withPolicy(made, policyOf(service));
}

/** Headers that say nothing of who calls. */
const openHeaders: ReadonlySet<string> = new Set(["accept", "content-type"]);

async function answerTo(
  service: Service,
  args: JsonObject,
  { credentials, ...reach }: Calling,
  { signal, metadata }: CallConfig,
): Promise<Json> {
  const { request } = service;
  const built = buildRequest(service, args, credentials);
  const key: unknown = metadata?.["idempotencyKey"];
  const isChange = effectOf(service) !== "read" && typeof key === "string";
  const response = await guardedRequest(
    isChange ? { ...built, headers: { "idempotency-key": key, ...built.headers } } : built,
    {
      ...reach,
      maxBytes: request.maxBytes,
      signal: signal ?? new AbortController().signal,
      // What else a definition fixes may be a key as well.
      secretHeaders: Object.keys(built.headers).filter((name) => !openHeaders.has(name)),
    },
  );
  return readResponse(service, response);
}

/** What the model is told of a service. */
function descriptionOf({ description, extendedDescription, examples = [] }: Service): string {
  const asked = examples.map((example) => `- ${example}`).join("\n");
  const parts = [
    description,
    extendedDescription,
    asked === "" ? undefined : `For example:\n${asked}`,
  ];
  return parts.filter((part) => part !== undefined).join("\n");
}

const effects: { readonly [method: string]: NonNullable<ToolPolicy["effect"]> } = {
  GET: "read",
  HEAD: "read",
  PUT: "idempotent",
  DELETE: "idempotent",
};

function effectOf({ effect, request }: Service): NonNullable<ToolPolicy["effect"]> {
  return effect ?? effects[request.method] ?? "write";
}

function policyOf(service: Service): ToolPolicy {
  const { timeoutMs, retry, needsApproval, result } = service;
  const to = typeof result === "object" ? result.to : result;
  const prompt = promptOf(service);
  return {
    effect: effectOf(service),
    trust: "untrusted",
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retry === undefined ? {} : { retry }),
    ...(needsApproval === undefined ? {} : { needsApproval }),
    ...(to === "return" ? { returnDirect: true } : {}),
    ...(prompt === undefined ? {} : { resultPrompt: prompt }),
  };
}

/** A model that is told of a table without seeing it makes up its rows. */
const shownPrompt =
  'The user has the result on the screen. If nothing else was asked, answer in the user\'s language: "You see it on your screen."';

/** What the model is to do with the result. */
function promptOf({ result }: Service): string | undefined {
  if (typeof result !== "object" || result.to === "return") return undefined;
  return result.to === "render" ? shownPrompt : result.prompt;
}

function textOf(data: Json): string {
  if (data === null) return "Done: the service answered, and gave no data.";
  return typeof data === "string" ? data : JSON.stringify(data);
}
