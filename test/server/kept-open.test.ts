import { describe, expect, it } from "vitest";

import { readEvents } from "../../src/page/model/sse.js";
import { keptOpen } from "../../src/server/kept-open.js";

/** A response whose body is written by hand. */
function written(type = "text/event-stream; charset=utf-8") {
  const encoder = new TextEncoder();
  const cancelled: unknown[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return {
    response: new Response(body, { headers: { "content-type": type, "x-own": "kept" } }),
    write: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    fail: (error: Error) => controller?.error(error),
    cancelled,
  };
}

const silence = 20;
const longer = () => new Promise((resolve) => setTimeout(resolve, 5 * silence));

describe("a stream of events that is kept open", () => {
  it("says so while nothing happens, between events, and loses nothing", async () => {
    const { response, write, end } = written();
    const text = keptOpen(response, silence).text();
    await longer();
    write("event: a\ndata: 1\n\n");
    await longer();
    write("event: b\r\ndata: 2\r\n\r\n");
    end();
    const said = await text;
    expect(said.replaceAll(": open\n\n", "")).toBe(
      "event: a\ndata: 1\n\nevent: b\r\ndata: 2\r\n\r\n",
    );
    expect(said).toMatch(/^: open\n\n/);
    expect(said).toMatch(/data: 1\n\n(?:: open\n\n)+event: b/);
  });

  it.each(["event: a\n", "event: a\ndata: 1\n", "data: half of a li"])(
    "says nothing inside an event: %j",
    async (start) => {
      const { response, write, end } = written();
      const text = keptOpen(response, silence).text();
      write(start);
      await longer();
      end();
      expect(await text).toBe(start);
    },
  );

  it("is read by the page as if nothing had been said", async () => {
    const { response, write, end } = written();
    const read: string[] = [];
    const body = keptOpen(response, silence).body?.pipeThrough(new TextDecoderStream());
    const reading = (async () => {
      for await (const event of readEvents(body ?? new ReadableStream<string>())) {
        read.push(`${event.id} ${event.event} ${event.data}`);
      }
    })();
    await longer();
    write("id: 7\nevent: a\ndata: 1\n\n");
    await longer();
    end();
    await reading;
    expect(read).toEqual(["7 a 1"]);
  });

  it("ends its source when nobody reads any more, and with its source's error", async () => {
    const left = written();
    await keptOpen(left.response, silence).body?.cancel("gone");
    expect(left.cancelled).toEqual(["gone"]);
    const failing = written();
    const text = keptOpen(failing.response, silence).text();
    failing.fail(new Error("lost"));
    await expect(text).rejects.toThrow("lost");
  });

  it("keeps status and headers, and leaves any other response alone", () => {
    const { response } = written();
    expect(keptOpen(response).headers.get("x-own")).toBe("kept");
    for (const type of ["application/json", "text/html"]) {
      const { response: other } = written(type);
      expect(keptOpen(other)).toBe(other);
    }
    const bare = new Response(null, { headers: { "content-type": "text/event-stream" } });
    expect(keptOpen(bare)).toBe(bare);
  });
});
