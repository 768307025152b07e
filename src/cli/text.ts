/** Control characters, with which foreign text could steer the terminal; line breaks and tabs are none. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Characters that take two columns: East Asian scripts and pictographs. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\p{Emoji_Presentation}]/u;

/** The text without control characters. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, "");
}

/** The text in one line of at most `max` characters; a cut is marked. */
export function oneLine(text: string, max: number): string {
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  // Half of a character that consists of two is left out.
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** As much of one line as fits into `columns`, so that it never wraps; a cut is marked. */
export function fitColumns(line: string, columns: number): string {
  let width = 0;
  let fitting = "";
  let marked = "";
  for (const character of line) {
    width += wide.test(character) ? 2 : 1;
    if (width > columns) return marked;
    fitting += character;
    if (width < columns) marked = `${fitting}…`;
  }
  return fitting;
}

/** A time as a person reads it: "3 ms", "1.2 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A number of things: "1 tool call", "1,234 tokens". */
export function count(number: number, thing: string): string {
  return `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
}

/** A number of bytes as a person reads it: "512 bytes", "12 kB", "3.4 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return count(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
