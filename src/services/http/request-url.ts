import { redact } from "../../observe/redact.js";
import { ClassifiedError } from "../../run/errors.js";

const maxShown = 150;

/** Reads an address that is called, or where a redirect leads. Throws "rejected" for what is not http or https, or has a password in it. */
export function readUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new ClassifiedError("rejected", "this is no address");
  const url = new URL(text, base);
  if (!["http:", "https:"].includes(url.protocol)) {
    throw new ClassifiedError(
      "rejected",
      `only http and https are called, not ${JSON.stringify(url.protocol)}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ClassifiedError(
      "rejected",
      "an address with a user name or password in it is not called: these belong into a header",
    );
  }
  return url;
}

/** An address as errors show it: without a user name, and without what its query holds. */
export function shownUrl(text: string): string {
  const [place = "", query] = text.replace(/#.*/s, "").split(/\?(.*)/s);
  const names = query?.split("&").map((field) => field.replace(/(=|^(?!.*=)).*/s, "$1[redacted]"));
  const bare = redact(place.replace(/^([^/]*\/\/)[^/]*@/, "$1"));
  const shown = names === undefined ? bare : `${bare}?${names.join("&")}`;
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown;
}
