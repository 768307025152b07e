import { isRecord, type Json } from "../json/json.js";
import type { Service } from "./definition.js";
import { isMarkup } from "./read-body.js";
import { valueAt } from "./value-at.js";

/** Where services that say nothing of it mostly have their message. */
const usualPlaces = [
  "message",
  "error.message",
  "error",
  "detail",
  "msg",
  "title",
  "errors[0].message",
  "errors",
];

/** The longest message of a service that a model is told, in characters. */
const maxMessageChars = 600;

/** What a service says of its refusal: where its definition has the message, or where services mostly have it, or as a text. */
export function messageIn({ error }: Pick<Service, "error">, body: Json): string | undefined {
  if (typeof body === "string") return isMarkup(body) ? undefined : messageOf(body);
  if (!isRecord(body)) return undefined;
  const places = error?.path === undefined ? usualPlaces : [error.path, ...usualPlaces];
  return places.map((place) => messageAt(body, place)).find((text) => text !== undefined);
}

/** The text at a place, at most 600 characters of it; nothing where there is none. */
export function messageAt(body: Json, place: string): string | undefined {
  return messageOf(valueAt(body, place) ?? "");
}

function messageOf(value: Json): string | undefined {
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  // What is no text for a reader says nothing to a model either.
  if (text === "" || /\uFFFD|(?![\t\r\n])\p{Cc}/u.test(text)) return undefined;
  return text.length > maxMessageChars ? `${text.slice(0, maxMessageChars)}…` : text;
}
