import { ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/json/json.js";
import { readService } from "../../src/services/read-service.js";
import { previewTools, serviceTools } from "../../src/services/index.js";
import type { Observation } from "../../src/state/observation.js";
import { resultFiles } from "../../src/tools/result-files.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";
import { toolRun } from "../support/tool-run.js";
import { photo, uploading } from "../support/uploads.js";

const text = { type: "string" };
const form: ServiceChanges = {
  name: "upload",
  parameters: {
    type: "object",
    properties: { title: text, photo: text, more: { type: "array", items: text } },
  },
  request: {
    method: "POST",
    bodyFormat: "multipart",
    body: { owner: "shop" },
    in: {
      photo: { in: "body", name: "the photo", file: "*/*" },
      more: { in: "body", file: "text/*, image/*" },
    },
  },
};
const whole: ServiceChanges = {
  name: "upload",
  request: {
    method: "POST",
    bodyFormat: "text",
    in: { building: { in: "wholeBody", file: "image/*" } },
  },
};

/** A run with a tool that gives a photo, and one that sends files. */
async function runWith(given: ServiceChanges = form) {
  const server = await uploading();
  const definitions = [
    { ...given, request: { ...given.request, url: `${server.url}/files` } },
    { name: "photo", request: { url: `${server.url}/photo` } },
  ].map(serviceInput);
  const run = toolRun(serviceTools(definitions, { allowHosts: [server.host], environment: {} }));
  const upload = (args: JsonObject, observations: readonly Observation[] = []) =>
    run.observe("upload", args, { isCommitted: true, observations });
  const taken = async () => {
    const observation = await run.observe("photo", {}, { id: "call_1" });
    const [, name = ""] =
      /\(A tool that takes a file can be given this one: "(.*)"\.\)$/m.exec(observation.content) ??
      [];
    return { observation, name };
  };
  return { server, run, upload, taken };
}

describe("a form with files", () => {
  it("sends a file of an earlier result with its type and a name", async () => {
    const { server, upload, taken } = await runWith();
    const { observation, name } = await taken();
    expect(name).toMatch(/^file_[\da-f]{16}\.png$/);
    const args = { title: "A", photo: name, more: ["first", name] };
    expect(await upload(args, [observation])).toMatchObject({ ok: true, args });
    const image = { type: "image/png", filename: name, bytes: photo };
    expect(server.parts).toEqual([
      { field: "owner", bytes: Buffer.from("shop") },
      { field: "title", bytes: Buffer.from("A") },
      { field: "the photo", ...image },
      {
        field: "more",
        type: "text/plain",
        filename: "file.txt",
        bytes: Buffer.from("first"),
      },
      { field: "more", ...image },
    ]);
  });

  it("finds the file where a message has it", async () => {
    const { server, run, taken } = await runWith();
    const { observation, name } = await taken();
    const { media = [], content, ...rest } = observation;
    const message = new ToolMessage({
      tool_call_id: "call_1",
      content: [{ type: "text", text: content }, ...media],
    });
    const { ok } = await run.observe(
      "upload",
      { photo: name },
      {
        isCommitted: true,
        observations: [{ ...rest, content }],
        state: { messages: [message] },
      },
    );
    expect(ok).toBe(true);
    expect(server.parts.at(-1)?.bytes).toEqual(photo);
  });

  it("does not find the file of another run, nor one of an earlier question", async () => {
    const { server, run, upload, taken } = await runWith();
    const { observation, name } = await taken();
    const { media = [] } = observation;
    const [other] = resultFiles(media, { runId: "another run", callId: "call_1" });
    const earlier = new ToolMessage({ tool_call_id: "call_1", content: [...media] });
    for (const observed of [
      await upload({ photo: other?.name ?? "" }, [observation]),
      await upload({ photo: name }),
      await run.observe(
        "upload",
        { photo: name },
        { isCommitted: true, state: { messages: [earlier] } },
      ),
    ]) {
      expect(observed.error).toMatchObject({
        kind: "invalid_arguments",
        message: expect.stringContaining("there is no file file_"),
      });
    }
    expect(server.parts).toEqual([]);
  });

  it("is bounded as a whole", async () => {
    const { upload } = await runWith();
    const half = "x".repeat(2_600_000);
    expect((await upload({ more: [half, half] })).error?.message).toContain("at most 5 MB");
  });

  it("keeps its name when an argument has the look of a header", async () => {
    const { server, upload } = await runWith();
    const evil = 'x"; filename="../../evil.sh"\r\ncontent-type: text/html\r\n\r\n';
    await upload({ photo: evil });
    expect(server.parts.at(-1)).toEqual({
      field: "the photo",
      type: "text/plain",
      filename: "file.txt",
      bytes: Buffer.from(evil),
    });
  });
});

describe("a body that is a file", () => {
  it("is sent with the type of the file", async () => {
    const { server, upload, taken } = await runWith(whole);
    const { observation, name } = await taken();
    await upload({ building: name }, [observation]);
    expect(server.parts).toEqual([{ field: "", type: "image/png", bytes: photo }]);
  });

  it("is refused for a text where an image belongs", async () => {
    const { server, upload } = await runWith(whole);
    expect((await upload({ building: "/etc/passwd" })).error?.message).toContain(
      "the service takes a file of type image/*, not text",
    );
    expect(server.parts).toEqual([]);
  });
});

describe("the name of a file", () => {
  it("is told only where a tool takes files", async () => {
    const server = await uploading();
    const definition = serviceInput({ name: "photo", request: { url: `${server.url}/photo` } });
    const run = toolRun(serviceTools([definition], { allowHosts: [server.host] }));
    const { content, unread } = await run.observe("photo", {});
    expect(content).not.toContain("file_");
    expect(unread).toBe("image");
  });

  it("is something to work with: a result of only an image is not unreadable", async () => {
    const { taken } = await runWith();
    expect((await taken()).observation.unread).toBe(undefined);
  });
});

describe("a preview", () => {
  it("names files in the place of their bytes", async () => {
    const [tool] = previewTools([readService(serviceInput(form), "a.json")]);
    const data = `data:image/png;base64,${photo.toString("base64")}`;
    const args = { title: "A", photo: data, more: ["text", "file_00112233445566aa.png"] };
    const shown = String(await tool?.invoke(args));
    expect(shown).toContain("<image/png, 70 bytes>");
    expect(shown).toContain("<file_00112233445566aa.png>");
    expect(shown).toContain("text");
    expect(shown).not.toContain("IHDR");
  });
});

describe("a definition with a file", () => {
  it.each<{ name: string; request: ServiceChanges["request"]; says: string }>([
    {
      name: "in a form without parts",
      request: { bodyFormat: "form", in: { building: { in: "body", file: "*/*" } } },
      says: 'a file is in the `body` of bodyFormat "multipart", or the `wholeBody` of "text"',
    },
    {
      name: "in the query",
      request: { bodyFormat: "multipart", in: { building: { in: "query", file: "*/*" } } },
      says: "a file is in the `body`",
    },
    {
      name: "that is written as a list",
      request: {
        bodyFormat: "multipart",
        in: { building: { in: "body", file: "*/*", list: "comma" } },
      },
      says: "a file has no `list`",
    },
    {
      name: "of a type that would end its line",
      request: { in: { building: { in: "body", file: "image/png\r\nx: y" } } },
      says: "expected a content type, or several",
    },
  ])("$name is refused", ({ request, says }) => {
    const definition = serviceInput({ request: { method: "POST", ...request } });
    expect(() => readService(definition, "a.json")).toThrow(says);
  });
});
