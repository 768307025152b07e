import { isRecord, type JsonObject } from "../../json/json.js";
import { textOf } from "./text-of.js";

/** A message of a thread, as a page needs it. */
export type Message = {
  readonly id: string;
  readonly type: "human" | "ai" | "tool" | "system";
  readonly text: string;
  readonly files: readonly string[];
  readonly images: readonly string[];
  /** The parts of its content that are its files and images, as they were sent. */
  readonly attached: readonly unknown[];
  /** It asks for tools: it is no answer. */
  readonly calls: boolean;
  /** What the application added: cards, sources. */
  readonly extra: Readonly<Record<string, unknown>>;
};

/** The messages in the values of a thread. */
export function messagesIn(values: unknown): readonly Message[] {
  const messages: readonly unknown[] =
    isRecord(values) && Array.isArray(values["messages"]) ? values["messages"] : [];
  return messages.filter(isRecord).flatMap((message) => {
    const type = types[String(message["type"])];
    if (type === undefined) return [];
    const parts = partsOf(message["content"]);
    const calls = message["tool_calls"];
    const extra = message["additional_kwargs"];
    return [
      {
        id: typeof message["id"] === "string" ? message["id"] : "",
        type,
        text: parts.map((part) => part.text).join(""),
        files: parts.flatMap(({ file }) => file ?? []),
        images: parts.flatMap(({ image }) => image ?? []),
        attached: parts.flatMap(({ sent }) => sent ?? []),
        calls: Array.isArray(calls) && calls.length > 0,
        extra: isRecord(extra) ? extra : {},
      },
    ];
  });
}

const types: Readonly<Record<string, Message["type"]>> = {
  human: "human",
  ai: "ai",
  AIMessageChunk: "ai",
  tool: "tool",
  system: "system",
};

type Part = {
  readonly text: string;
  readonly image?: string;
  readonly file?: string;
  /** The part itself, of a file or an image. */
  readonly sent?: unknown;
};

/** A file of text, as a part of a message: any model can read it. */
export function textFilePart(name: string, text: string): unknown {
  return { type: "text", text: `${name}:\n${text}\n` };
}

/** The name of a file of text in a part. */
export function textFileIn(text: string): string | undefined {
  return /^([^\n]{1,200}\.\w{1,8}):\n[^]*\n$/.exec(text)?.[1];
}

/** The parts of a content. Pictures are shown from their own data alone: no address is called. */
function partsOf(content: unknown): readonly Part[] {
  if (typeof content === "string") return [{ text: content }];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.filter(isRecord).map((part) => {
    if (part["type"] === "text") {
      const text = textOf(part["text"]);
      const file = textFileIn(text);
      return file === undefined ? { text } : { text: "", file, sent: part };
    }
    const data = dataOf(part);
    const isImage = /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(data);
    if (isImage) return { text: "", image: data, sent: part };
    const metadata = isRecord(part["metadata"]) ? part["metadata"] : {};
    return { text: "", file: textOf(metadata["filename"] ?? part["type"]), sent: part };
  });
}

function dataOf(part: Readonly<Record<string, unknown>>): string {
  const { image_url: given, data, mime_type: type, mimeType = type } = part;
  const url = isRecord(given) ? given["url"] : given;
  if (typeof url === "string") return url;
  return typeof data === "string" && typeof mimeType === "string"
    ? `data:${mimeType};base64,${data}`
    : "";
}

/** One request to a person, and what may be decided. */
export type Asked = {
  readonly id: string;
  /** The interrupt that it is part of. */
  readonly interrupt: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly description: string;
  readonly callId: string | undefined;
  readonly effect: string | undefined;
  readonly expiresAt: string | undefined;
  readonly fromMemory: readonly string[];
  readonly allowed: readonly string[];
  readonly schema: JsonObject | undefined;
};

/** A pause of a thread: what it asks for at once. */
export type Interrupted = {
  readonly id: string;
  readonly asked: readonly Asked[];
  /** Why the last answer could not be used. */
  readonly error: string | undefined;
  /** It is no request of ours: the answer goes back as it is. */
  readonly isPlain: boolean;
};

/** The pauses in the tasks of a thread. */
export function interruptsIn(tasks: unknown): readonly Interrupted[] {
  return list(tasks)
    .flatMap((task) => list(task["interrupts"]))
    .map(({ id, value }) => {
      const isOurs = isRecord(value) && Array.isArray(value["action_requests"]);
      return isOurs ? interruptOf(textOf(id), value) : plainInterrupt(textOf(id), value);
    });
}

/** What another graph asks with: a text, or data whose form nobody knows. */
function plainInterrupt(id: string, value: unknown): Interrupted {
  const description = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const asked = {
    id,
    interrupt: id,
    name: "",
    args: {},
    description,
    fromMemory: [],
    allowed: ["respond"],
  };
  const unknown = { callId: undefined, effect: undefined, expiresAt: undefined, schema: undefined };
  return { id, asked: [{ ...asked, ...unknown }], error: undefined, isPlain: true };
}

function interruptOf(id: string, value: Readonly<Record<string, unknown>>): Interrupted {
  const configs = list(value["review_configs"]);
  const asked = list(value["action_requests"]).map((request, at) => ({
    id: textOf(request["id"]),
    interrupt: id,
    name: textOf(request["name"]),
    args: object(request["args"]) ?? {},
    description: textOf(request["description"]),
    callId: optional(request["call_id"]),
    effect: optional(request["effect"]),
    expiresAt: optional(request["expires_at"]),
    fromMemory: texts(request["from_memory"]),
    allowed: texts(configs[at]?.["allowed_decisions"]),
    schema: object(configs[at]?.["args_schema"]),
  }));
  return { id, asked, error: optional(value["error"]), isPlain: false };
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function optional(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** What came from the server as JSON is JSON. */
function object(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** A question of a conversation with its answer, as far as there is one. */
export type Turn = {
  readonly question: Message;
  readonly answer: Message | undefined;
  /** How many messages the conversation had before. */
  readonly before: number;
};

/** The questions of a conversation with their answers: of each, the last message that asks for no tool. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const starts = messages.flatMap(({ type }, at) => (type === "human" ? [{ before: at }] : []));
  return starts.flatMap(({ before }, at) => {
    const question = messages[before];
    const said = messages.slice(before + 1, starts[at + 1]?.before);
    const answer = said.findLast(({ type, calls, text }) => type === "ai" && !calls && text !== "");
    return question === undefined ? [] : [{ question, answer, before }];
  });
}

/** A question that was just sent. */
export function newQuestion(
  text: string,
  {
    images = [],
    files = [],
    attached = [],
  }: Partial<Pick<Message, "images" | "files" | "attached">>,
): Message {
  return { id: "", type: "human", text, images, files, attached, calls: false, extra: {} };
}

/** A question as the content of a message. */
export function contentOf({ text, attached }: Message): unknown {
  if (attached.length === 0) return text;
  return [...attached, ...(text === "" ? [] : [{ type: "text", text }])];
}
