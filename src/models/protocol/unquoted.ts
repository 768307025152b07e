import { fenceStart } from "./nothing-else.js";

const opening = new RegExp(String.raw`^${fenceStart}\s*`);

/** A reply that is a text of JSON as a whole, as what that text says: some models escape all that they write. */
export function unquoted(reply: string): string {
  const bare = reply.trim().replace(opening, "").replace(/```$/, "").trim();
  const quoted = /^[{[]\s*\\"/.test(bare) ? `"${bare}"` : bare;
  if (!/^"\s*[{[]/.test(quoted)) return reply;
  try {
    const text: unknown = JSON.parse(quoted);
    return typeof text === "string" ? text : reply;
  } catch {
    return reply;
  }
}
