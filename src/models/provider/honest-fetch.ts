import { isRecord } from "../../json/json.js";
import { statusOfBody } from "../../run/errors.js";

/** A function that sends a request. */
type Fetch = typeof fetch;

/** Fetches that are already wrapped. */
const wrapped = new WeakSet<Fetch>();

/**
 * Makes OpenAI's client report facts that LangChain drops: an error in an answer with status 200 is thrown, and the
 * words of a refusal become the reply's text, with finish reason `refusal`. Other models stay unchanged.
 */
export function withHonestFetch<Model>(model: Model): Model {
  const holder: unknown = isObject(model)
    ? (Reflect.get(model, "completions") ?? model)
    : undefined;
  const config: unknown = isObject(holder) ? Reflect.get(holder, "clientConfig") : undefined;
  if (!isObject(holder) || !isRecord(config)) return model;
  Reflect.set(holder, "clientConfig", { ...config, fetch: honestFetch(config["fetch"]) });
  const client: unknown = Reflect.get(holder, "client");
  if (isObject(client)) Reflect.set(client, "fetch", honestFetch(Reflect.get(client, "fetch")));
  return model;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isFetch(value: unknown): value is Fetch {
  return typeof value === "function";
}

function honestFetch(given: unknown): Fetch {
  const inner = isFetch(given) ? given : undefined;
  if (inner !== undefined && wrapped.has(inner)) return inner;
  const outer: Fetch = async (input, init) => {
    // The global fetch at the time of the call: programs replace it.
    const response = await (inner ?? fetch)(input, init);
    return response.ok ? honestResponse(response) : response;
  };
  wrapped.add(outer);
  return outer;
}

async function honestResponse(response: Response): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/.test(type)) return honestJson(response);
  const { body } = response;
  return body !== null && type.includes("event-stream")
    ? remade(response, body.pipeThrough(honestLines()))
    : response;
}

async function honestJson(response: Response): Promise<Response> {
  const text = await response.text();
  const body = parsed(text);
  if (!isRecord(body)) return remade(response, text);
  const error = errorIn(body);
  if (error !== undefined) {
    return remade(response, JSON.stringify({ error }), statusOfBody(error));
  }
  return remade(response, toldRefusal(body) ? JSON.stringify(body) : text);
}

/** The error in a body, as servers that forward requests write it. */
function errorIn({ error, choices }: Record<string, unknown>): unknown {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  const said = error ?? (isRecord(choice) ? choice["error"] : undefined) ?? undefined;
  return typeof said === "string" && said !== ""
    ? { message: said }
    : isRecord(said)
      ? said
      : undefined;
}

/** Moves the words of a refusal into the text, and returns whether there were any. */
function toldRefusal({ choices }: Record<string, unknown>): boolean {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  if (!isRecord(choice)) return false;
  const said = choice["message"] ?? choice["delta"];
  if (!isRecord(said) || typeof said["refusal"] !== "string" || said["refusal"] === "")
    return false;
  said["content"] =
    `${typeof said["content"] === "string" ? said["content"] : ""}${said["refusal"]}`;
  if (choice["message"] !== undefined) choice["finish_reason"] = "refusal";
  return true;
}

/** The same line by line, for a stream of events: the finish reason comes after the words. */
function honestLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  let isRefused = false;
  const honestLine = (line: string) => {
    const isRelevant = line.startsWith("data:") && (isRefused || line.includes('"refusal"'));
    const body = isRelevant ? parsed(line.slice("data:".length)) : undefined;
    if (!isRecord(body)) return line;
    isRefused = toldRefusal(body) || isRefused;
    if (isRefused) tellEnd(body);
    return isRefused ? `data: ${JSON.stringify(body)}` : line;
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      const told = lines.map((line) => `${honestLine(line)}\n`).join("");
      if (told !== "") controller.enqueue(encoder.encode(told));
    },
    flush: (controller) => {
      if (rest !== "") controller.enqueue(encoder.encode(honestLine(rest)));
    },
  });
}

/** Marks the last event of a refusal with its finish reason. */
function tellEnd({ choices }: Record<string, unknown>): void {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  const isEnd = isRecord(choice) && typeof choice["finish_reason"] === "string";
  if (isEnd) choice["finish_reason"] = "refusal";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A response with another body: the headers' length and encoding no longer apply. */
function remade(
  response: Response,
  body: string | ReadableStream<Uint8Array>,
  status = response.status,
): Response {
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Response(body, { status, headers });
}
