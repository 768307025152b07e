import { describe, expect, it } from "vitest";

import { serving } from "../support/local-server.js";
import { calledService } from "../support/served-service.js";
import type { ServiceChanges } from "../support/services.js";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const zip = Buffer.from("PK\u0003\u0004\u0000\u00FF", "latin1");

/** What a run observes of a service that answers with bytes. */
async function observed(type: string, body: Buffer, given: ServiceChanges = {}, status = 200) {
  const server = await serving((response) => {
    response.writeHead(status, { "content-type": type }).end(body);
  });
  return calledService(server, given).run.observe("rooms", {}, { isCommitted: true });
}

describe("an answer that is no text", () => {
  it.each<{ name: string; type: string; body: Buffer; kind: string; mark: string }>([
    { name: "an image", type: "image/png", body: png, kind: "image_url", mark: "[image]" },
    { name: "an image of no type", type: "x/y", body: png, kind: "image_url", mark: "[image]" },
    {
      name: "a PDF",
      type: "application/pdf",
      body: Buffer.from("%PDF-1.4\n"),
      kind: "file",
      mark: "[file]",
    },
    {
      name: "a recording",
      type: "audio/mpeg",
      body: Buffer.from("ID3\u0004\u0000\u00FF", "latin1"),
      kind: "audio",
      mark: "[audio]",
    },
  ])("is a block that a model may see: $name", async ({ type, body, kind, mark }) => {
    const { ok, content, media } = await observed(type, body);
    expect(ok).toBe(true);
    expect(content).toContain(mark);
    expect(media).toMatchObject([{ type: kind }]);
    expect(JSON.stringify(media)).toContain(body.toString("base64"));
  });

  it.each<{ name: string; type: string; body: Buffer; says: string }>([
    {
      name: "a ZIP",
      type: "application/zip; x=1",
      body: zip,
      says: "[application/zip: 6 bytes that are no text and cannot be read here]",
    },
    {
      name: "an image that no model sees",
      type: "image/tiff",
      body: zip,
      says: "[image/tiff: 6 bytes that are no text and cannot be read here]",
    },
  ])("is named with its type and size: $name", async ({ type, body, says }) => {
    const { ok, content, media } = await observed(type, body);
    expect(ok).toBe(true);
    expect(content).toContain(says);
    expect(content).not.toContain("\uFFFD");
    expect(media).toBe(undefined);
  });

  it.each<{ name: string; given: ServiceChanges }>([
    { name: "data", given: { data: "rooms" } },
    { name: "a success", given: { success: { path: "code", target: 0 } } },
    { name: "a component", given: { result: { to: "render", component: "Table" } } },
  ])("has no $name for a definition that wants it", async ({ given }) => {
    const { ok, error, media } = await observed("image/png", png, given);
    expect({ ok, media }).toEqual({ ok: false, media: undefined });
    expect(error?.message).toContain("got image/png: 70 bytes that are no text");
  });

  it("is no refusal that a model could read", async () => {
    const { error } = await observed("image/png", png, {}, 404);
    expect(error?.message).toContain("the service answered with status 404.");
  });

  it("of a change says that it is done, where its data cannot be selected", async () => {
    const { content } = await observed("application/zip", zip, {
      request: { method: "POST" },
      data: "rooms",
    });
    expect(content).toContain("Done: the service did what it was asked.");
  });
});
