import { isRecord } from "../json/json.js";
import { isPageFile } from "./pages/page-files.js";

/** The handlers of LangGraph's `Auth`, where its server reads them. */
const cache = "~handlerCache";

let handlers: Record<string, unknown> = {};

/** Takes the handlers of an `Auth`; returns whether it is one. */
export function setAuth(given: unknown): boolean {
  const found: unknown = typeof given === "object" && given !== null && Reflect.get(given, cache);
  if (!isRecord(found)) return false;
  handlers = found;
  return true;
}

/** The authorization that LangGraph's server loads: the given one, except that `/ok` and the page's files are for everybody. */
export const auth = {
  get [cache]() {
    const { authenticate } = handlers;
    if (typeof authenticate !== "function") return handlers;
    return {
      ...handlers,
      authenticate: (request: Request): unknown =>
        isForEverybody(request)
          ? { identity: "anonymous", permissions: [] }
          : Reflect.apply(authenticate, undefined, [request]),
    };
  },
};

function isForEverybody({ method, url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname === "/ok" || isPageFile(method, pathname);
}
