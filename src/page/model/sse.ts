/** An event of a stream of Server-Sent Events. */
export type ServerEvent = { readonly event: string; readonly data: string; readonly id: string };

/** Reads Server-Sent Events from pieces of text, however they are cut. */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let held = "";
  for await (const piece of pieces) {
    // A piece may end between the two characters of a line's end.
    held += piece;
    const whole = held.endsWith("\r") ? held.slice(0, -1) : held;
    const blocks = whole.replaceAll(/\r\n?/g, "\n").split("\n\n");
    held = (blocks.pop() ?? "") + (whole === held ? "" : "\r");
    for (const block of blocks) {
      const event = eventIn(block);
      if (event !== undefined) yield event;
    }
  }
}

function eventIn(block: string): ServerEvent | undefined {
  const fields = { event: "message", id: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name === "data") data.push(value);
    else if (name === "event" || name === "id") fields[name] = value;
  }
  return data.length === 0 ? undefined : { ...fields, data: data.join("\n") };
}
