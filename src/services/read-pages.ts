import { type Json, jsonText } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import type { Service } from "./definition.js";
import { rejected } from "../run/errors.js";
import { readResponse, type ServiceResponse, UnreadableAnswer } from "./read-response.js";
import { valueAt } from "./values.js";

/** All items of the pages that were read, and why there may be more. */
export type Pages = { readonly items: readonly Json[]; readonly note?: string };

/** Asks for another page: the same request at another address. */
type Ask = (url: string) => Promise<ServiceResponse>;

/** The longest reason why a page could not be read, in characters. */
const maxReason = 300;

/**
 * Reads the list of a response and of the pages after it. Only addresses of the first request's origin are asked, each
 * once, up to `max` pages and `maxBytes` in all. What was read is kept when a later page fails; the note says so.
 * Throws as `readResponse` does for the first page.
 */
export async function readPages(
  service: Service,
  sent: string,
  first: ServiceResponse,
  ask: Ask,
): Promise<Pages> {
  const items = [...itemsIn(service, first)];
  const asked = new Set([sent, first.url]);
  let page = first;
  let size = first.text.length;
  for (let pages = 1; ; pages += 1) {
    const next = nextOf(service, page);
    if (next === undefined) return { items };
    try {
      const url = allowedAddress(addressOf(service, next, page.url, sent), sent, asked);
      checkBounds(service, pages, size);
      asked.add(url);
      page = await ask(url);
      // A redirect led to another server, whose data nobody asked for.
      allowedAddress(new URL(page.url), sent);
      items.push(...itemsIn(service, page));
      size += page.text.length;
    } catch (error) {
      const reason = errorLine(error, maxReason).replace(/\.$/, "");
      return {
        items,
        note: `Incomplete: ${counted(pages)} read, the next one was not: ${reason}.`,
      };
    }
  }
}

function checkBounds({ pages, request }: Service, read: number, size: number): void {
  const max = pages?.max ?? 1;
  if (read === max) throw rejected(`at most ${max} are read (pages.max)`);
  if (size >= request.maxBytes) throw rejected("the limit of bytes is reached (maxBytes)");
}

function counted(pages: number): string {
  return pages === 1 ? "1 page was" : `${pages} pages were`;
}

/** The items of one page. Throws if it has no list. */
function itemsIn(service: Service, response: ServiceResponse): readonly Json[] {
  const path = service.pages?.items ?? service.data;
  const list = readResponse({ ...service, data: path }, response);
  if (Array.isArray(list)) return list;
  const where = path === undefined ? "as a whole: name it in `pages.items`" : `at "${path}"`;
  throw new UnreadableAnswer(`the response is no list ${where}`);
}

/** What a response says of the next page, its address or its cursor; undefined on the last page. */
function nextOf(service: Service, response: ServiceResponse): string | undefined {
  const { next = "link" } = service.pages ?? {};
  if (next === "link") return nextLink(response.headers["link"] ?? "");
  const body = readResponse({ ...service, data: undefined, fields: undefined }, response);
  const found = valueAt(body, next) ?? "";
  if (found === "" || found === false) return undefined;
  return jsonText(found);
}

/** The target of `rel="next"` in the header Link. */
export function nextLink(header: string): string | undefined {
  for (const link of header.slice(0, 10_000).split(/,\s*(?=<)/)) {
    const [, target = "", parameters = ""] = /^\s*<([^<>]*)>(.*)$/s.exec(link) ?? [];
    const [, rel = ""] = /;\s*rel\s*=\s*"?([^";]*)/i.exec(parameters) ?? [];
    if (rel.toLowerCase().split(/\s/).includes("next")) return target;
  }
  return undefined;
}

/**
 * The address of a page: that of the first one with the cursor in its parameter, or the one that the response gives. A
 * cursor would be read as a relative address.
 */
function addressOf({ pages }: Service, next: string, base: string, sent: string): URL | undefined {
  if (pages?.parameter !== undefined) {
    const url = new URL(sent);
    url.searchParams.set(pages.parameter, next);
    return url;
  }
  if (!/^(?:https?:\/\/|[/?])/i.test(next) || !URL.canParse(next, base)) return undefined;
  const url = new URL(next, base);
  url.hash = "";
  return url;
}

/** The address if it may be asked: at the first request's origin, and not yet asked. */
function allowedAddress(url: URL | undefined, sent: string, asked?: ReadonlySet<string>): string {
  if (url === undefined) throw rejected("the response gives no address for it");
  if (url.origin !== new URL(sent).origin) throw rejected("it is on another server");
  if (asked?.has(url.href) === true) throw rejected("it is one that was read");
  return url.href;
}
