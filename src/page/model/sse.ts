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

/** After how long a silent connection is lost, in milliseconds: the server says every 15 seconds that it is open. */
const silentMs = 45_000;

/** The events of a streamed answer. Throws where nothing comes for `ms`, though the connection seems open. */
export async function* eventsOf(response: Response, ms = silentMs): AsyncGenerator<ServerEvent> {
  if (response.body !== null) yield* readEvents(textsOf(response.body, ms));
}

async function* textsOf(body: ReadableStream<Uint8Array>, ms: number): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await heardWithin(ms, reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** What comes within a time. Throws if it does not. */
async function heardWithin<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("The connection is silent.")), ms);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}
