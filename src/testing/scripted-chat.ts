import { randomUUID } from "node:crypto";

import type { ChatRequest } from "./chat-request.js";
import { refusalOf } from "./check-request.js";
import { callIds } from "./complete-reply.js";
import { type Delivery, jsonDelivery } from "./delivery.js";
import type { Dialect, Refusal } from "./dialect.js";
import { dialectOf } from "./dialects.js";
import { errorDelivery } from "./error-delivery.js";
import type { ServerAnswer } from "./fault.js";
import { planDelivery } from "./plan-delivery.js";
import type { ScriptedUsage } from "./reply.js";
import { describe, Script } from "./script.js";
import type { ScriptedServerOptions, ServerReply } from "./server-options.js";

/** What of an HTTP request decides on its answer. */
export type ChatCall = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: ChatRequest | undefined;
};

/** The scripted server without its sockets: from requests to what is to be delivered. */
export class ScriptedChat {
  readonly #options: ScriptedServerOptions;
  readonly #dialect: Dialect;
  readonly #script: Script<ServerReply>;
  readonly #nextCallId = callIds();
  #usage: Required<ScriptedUsage> = {
    input: 0,
    output: 0,
    cached: 0,
    reasoning: 0,
  };

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

  /** Adds usage that has reached a client. */
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
      if (refused !== undefined) return refusedDelivery(refused);
      if (refusal) return errorDelivery(400, refusal);
      return this.#plan(await this.#next(request), request);
    } catch (error) {
      return errorDelivery(500, {
        message: describe(this.#script.fail(error)),
      });
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

function refusedDelivery({ status, ...details }: Refusal): Delivery {
  return errorDelivery(status, details);
}

function modelList(models: readonly string[]) {
  const data = models.map((id) => ({
    id,
    object: "model",
    created: 0,
    owned_by: "plangraph",
  }));
  return { object: "list", data };
}
