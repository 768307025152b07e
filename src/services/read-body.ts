import { parseExact } from "../json/exact-json.js";
import { isTooDeep, type Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import type { HttpResponse } from "./http/http-request.js";

/** A response's body: data where it is JSON, else its text; `null` where it is empty, nothing where it says that it is JSON and is none. */
export function readBody({ text, headers }: HttpResponse): Json | undefined {
  if (text.trim() === "") return null;
  const isSaid = /\bjson\b/i.test(headers["content-type"] ?? "");
  const value = isSaid || /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return value === undefined && !isSaid ? text : value;
}

function parsed(text: string): Json | undefined {
  try {
    const value = parseExact(text.replace(/^\uFEFF/, ""));
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** What stands for a body that should be data and is none: a page is mostly that of a gateway whose service is away. */
export function noData({ headers, text, url }: HttpResponse): ClassifiedError {
  const type = headers["content-type"] ?? "no content type";
  const isPage = /html/i.test(type) || isMarkup(text);
  const came = text.trim() === "" ? "nothing" : `${type}: ${beginning(text)}`;
  const message = `expected JSON from ${new URL(url).host}, got ${came}`;
  return new ClassifiedError(isPage ? "unavailable" : "rejected", message);
}

/** Whether a text is a page, and not for a reader. */
export function isMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|\?xml)/i.test(text);
}

/** The first words of a text, on one line. */
export function beginning(text: string): string {
  const line = text.slice(0, 1_000).trim().replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
