import { describe, expect, it } from "vitest";

import { serving } from "../support/local-server.js";
import { calledService } from "../support/served-service.js";
import type { ServiceChanges } from "../support/services.js";

const xml = '<?xml version="1.0"?>\n<rooms><room id="1">Großer Saal</room></rooms>';

/** What a run observes of a service that answers with XML. */
async function observed(type: string, given: ServiceChanges = {}, body: Buffer = Buffer.from(xml)) {
  const server = await serving((response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  });
  return calledService(server, given).run.observe("rooms", {});
}

describe("an answer in XML", () => {
  it.each([
    { type: "application/xml", body: Buffer.from(xml) },
    { type: "text/xml; charset=utf-8", body: Buffer.from(xml) },
    { type: "application/atom+xml; charset=ISO-8859-1", body: Buffer.from(xml, "latin1") },
    { type: "application/octet-stream", body: Buffer.from(xml) },
  ])("reaches the model as its text: $type", async ({ type, body }) => {
    const { ok, content, value, media } = await observed(type, {}, body);
    expect({ ok, value, media }).toEqual({ ok: true, value: xml, media: undefined });
    expect(content).toContain(xml);
  });

  it.each<{ name: string; given: ServiceChanges }>([
    { name: "data", given: { data: "rooms" } },
    { name: "a success", given: { success: { path: "rooms", operator: "exists" } } },
  ])("has no place for a definition that wants $name", async ({ given }) => {
    const { ok, error } = await observed("application/xml", given);
    expect(ok).toBe(false);
    expect(error?.message).toContain("expected JSON from 127.0.0.1");
  });
});
