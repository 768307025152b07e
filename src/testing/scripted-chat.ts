import { randomUUID } from "node:crypto";

import type { ChatRequest, ChatRequestMessage } from "./chat-request.js";
import { type Delivery, errorDelivery, jsonDelivery } from "./delivery.js";
import type { Dialect } from "./dialect.js";
import { type DialectName, dialectOf } from "./dialects.js";
import { estimateTokens } from "./estimate-tokens.js";
import type { ServerAnswer, StatusOptions } from "./fault.js";
import { planDelivery } from "./plan-delivery.js";
import { callIds, type ScriptedUsage } from "./reply.js";
import { describe, Script } from "./script.js";

/** Computes an answer when asked. An error is answered with status 500 and thrown again by `assertExhausted`. */
export type ServerAnswerFunction = (request: ChatRequest) => ServerAnswer | Promise<ServerAnswer>;

/** An entry of a server's script. */
export type ServerReply = ServerAnswer | ServerAnswerFunction;

/** Settings of a scripted server. */
export type ScriptedServerOptions = {
  /** One entry per request, in order; or one function that answers every request. */
  readonly replies: readonly ServerReply[] | ServerAnswerFunction;
  /**
   * Called first for every chat request. If it returns an answer, that is sent and the script is not used: for servers
   * with a quirk, such as one that refuses `response_format`.
   */
  readonly intercept?: (request: ChatRequest) => ServerAnswer | undefined;
  /**
   * Answers the script in the form of such a server: see {@link dialects}. Its refusals are checked after `intercept`,
   * before every other check. Default: as OpenAI's API.
   */
  readonly dialect?: DialectName | Dialect;
  /** Requests with a larger estimate are refused as too long. Default: no limit. */
  readonly contextTokens?: number;
  /** Refuses histories with an unpaired tool call or result. Default: `false`. */
  readonly strictPairing?: boolean;
  /** Any other bearer token is answered with 401. Default: all are accepted. */
  readonly apiKey?: string;
  /** `false` simulates a provider that never reports usage. Default: `true`. */
  readonly reportUsage?: boolean;
  /** Gives all replies without an id the same one, as some providers do. Default: `false`. */
  readonly sameId?: boolean;
  /** The models that `GET /v1/models` lists. Default: `scripted-model`. */
  readonly models?: readonly string[];
};

/** The part of an HTTP request that determines its answer. */
export type ChatCall = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: ChatRequest | undefined;
};

/** The scripted server without its sockets: requests in, deliveries out. */
export class ScriptedChat {
  readonly #options: ScriptedServerOptions;
  readonly #dialect: Dialect;
  readonly #script: Script<ServerReply>;
  readonly #nextCallId = callIds();
  #usage: Required<ScriptedUsage> = { input: 0, output: 0, cached: 0, reasoning: 0 };

  constructor(options: ScriptedServerOptions) {
    const { replies } = options;
    this.#dialect = dialectOf(options.dialect);
    this.#options = { ...this.#dialect.options, ...options };
    this.#script =
      typeof replies === "function" ? new Script<ServerReply>([], replies) : new Script(replies);
  }

  get usage(): Readonly<Required<ScriptedUsage>> {
    return this.#usage;
  }

  /** Adds usage that has been sent to a client. */
  count({ input, output, cached = 0, reasoning = 0 }: ScriptedUsage): void {
    const total = this.#usage;
    this.#usage = {
      input: total.input + input,
      output: total.output + output,
      cached: total.cached + cached,
      reasoning: total.reasoning + reasoning,
    };
  }

  /** Makes `assertExhausted` fail with this error, and returns it. */
  fail<Problem>(problem: Problem): Problem {
    return this.#script.fail(problem);
  }

  assertExhausted(): void {
    this.#script.assertExhausted();
  }

  /** Decides on the response to a request. */
  async answer({ method, path, authorization, body }: ChatCall): Promise<Delivery> {
    const { apiKey, models = ["scripted-model"] } = this.#options;
    if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`) return errorDelivery(401);
    const route = `${method} ${path.split("?")[0]}`;
    if (route === "GET /v1/models") return jsonDelivery(200, modelList(models));
    if (route !== "POST /v1/chat/completions")
      return this.#unexpected(404, `No such route: ${route}`);
    if (!body) return this.#unexpected(400, "The body is not a chat completion request.");
    return this.#complete(body);
  }

  async #complete(request: ChatRequest): Promise<Delivery> {
    const { intercept, contextTokens, strictPairing = false } = this.#options;
    const refusal = refusalOf(request, { contextTokens, strictPairing });
    try {
      const intercepted = intercept?.(request);
      if (intercepted !== undefined) return this.#plan(intercepted, request);
      const refused = this.#dialect.refuses?.(request);
      if (refused !== undefined) return errorDelivery(refused.status, refused);
      if (refusal) return errorDelivery(400, refusal);
      return this.#plan(await this.#next(request), request);
    } catch (error) {
      return errorDelivery(500, { message: describe(this.#script.fail(error)) });
    }
  }

  #plan(answer: ServerAnswer, request: ChatRequest): Delivery {
    const { reportUsage = true, sameId = false } = this.#options;
    return planDelivery(answer, {
      request,
      reportUsage,
      dialect: this.#dialect,
      nextCallId: this.#nextCallId,
      freshId: () => `chatcmpl-${sameId ? "same" : randomUUID()}`,
    });
  }

  async #next(request: ChatRequest): Promise<ServerAnswer> {
    const { role = "nobody", content } = request.messages.at(-1) ?? {};
    const entry = this.#script.take(`${role}: ${describe(content)}`);
    return typeof entry === "function" ? entry(request) : entry;
  }

  #unexpected(status: number, message: string): Delivery {
    this.#script.fail(new Error(message));
    return errorDelivery(status, { message });
  }
}

function modelList(models: readonly string[]) {
  const data = models.map((id) => ({ id, object: "model", created: 0, owned_by: "plangraph" }));
  return { object: "list", data };
}

/** The checks of a server before it answers. */
type RequestChecks = {
  readonly contextTokens: number | undefined;
  readonly strictPairing: boolean;
};

/** The problem of a request, in the words of OpenAI's 400; `undefined` if there is none. */
function refusalOf(request: ChatRequest, checks: RequestChecks): StatusOptions | undefined {
  const pairing = checks.strictPairing ? unpairedCall(request.messages) : undefined;
  return pairing ?? oversize(request, checks.contextTokens);
}

function oversize(request: ChatRequest, limit = Infinity): StatusOptions | undefined {
  const tokens = estimateTokens(request);
  if (tokens <= limit) return undefined;
  return {
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    param: "messages",
    code: "context_length_exceeded",
  };
}

/** Walks the history with the calls that still lack their tool message. */
function unpairedCall(messages: readonly ChatRequestMessage[]): StatusOptions | undefined {
  let known = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const stray = strayResult(message, index, known);
      if (stray) return stray;
      open.delete(message.tool_call_id ?? "");
    } else {
      if (open.size > 0) return unanswered(open, index);
      known = new Set(message.tool_calls?.map(({ id }) => id));
      open = new Set(known);
    }
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function strayResult(
  { tool_call_id: id = "" }: ChatRequestMessage,
  index: number,
  calls: ReadonlySet<string>,
): StatusOptions | undefined {
  if (calls.has(id)) return undefined;
  const none = calls.size === 0;
  return {
    // The spelling "preceeding" is OpenAI's.
    message: none
      ? "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      : `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
    param: `messages.[${index}].${none ? "role" : "tool_call_id"}`,
  };
}

function unanswered(open: ReadonlySet<string>, index: number): StatusOptions {
  return {
    message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
    param: `messages.[${index}].role`,
  };
}
