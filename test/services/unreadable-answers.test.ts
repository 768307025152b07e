import { describe, expect, it } from "vitest";

import type { Json } from "../../src/plan/json.js";
import { servedService } from "../support/served-service.js";
import type { ServiceChanges } from "../support/services.js";

const isDone = { path: "code", target: 0 };
const booked = { code: 0, booking: { id: 7 } };
const shown = { to: "render", component: "Table", props: { rows: "{{data.rows}}" } } as const;
const post = { method: "POST" } as const;

describe("a service that changed something, and whose answer cannot be read", () => {
  it.each<{ name: string; body: Json; given: ServiceChanges; says: string }>([
    {
      name: "its data are not where they should be",
      body: booked,
      given: { request: post, success: isDone, data: "data" },
      says: 'the response has nothing at "data": {"code":0,"booking":{"id":7}}',
    },
    {
      name: "nothing is there to show",
      body: booked,
      given: { request: post, success: isDone, result: shown },
      says: "nothing to show as Table",
    },
    {
      name: "the status alone says that it was done",
      body: { booking: { id: 7 } },
      given: { request: { method: "PUT" }, data: "data.id" },
      says: 'nothing at "data.id"',
    },
  ])("is told as done where $name", async ({ body, given, says }) => {
    const { server, run } = await servedService(body, given);
    const { ok, error, content } = await run.observe("rooms", {}, { onRecord: true });
    expect({ ok, error }).toEqual({ ok: true, error: undefined });
    expect(content).toContain("Done: the service did what it was asked.");
    expect(content).toContain("Do not ask it for this again.");
    expect(content).toContain(says);
    expect(content).toContain('"id":7');
    expect(server.received).toHaveLength(1);
  });

  it.each<{ name: string; body: Json; given: ServiceChanges; status?: number; kind: string }>([
    {
      name: "it says that it did not",
      body: { code: 7 },
      given: { request: post, success: isDone, data: "data" },
      kind: "rejected",
    },
    {
      name: "its status says so",
      body: { message: "full" },
      given: { request: post, data: "data" },
      status: 409,
      kind: "rejected",
    },
    {
      name: "it only reads",
      body: booked,
      given: { success: isDone, data: "data" },
      kind: "rejected",
    },
    {
      name: "what it reads cannot be shown",
      body: { rows: 1 },
      given: { result: { ...shown, props: { rows: "{{data.x}}" } } },
      kind: "rejected",
    },
  ])("is an error where $name", async ({ body, given, status, kind }) => {
    const { run } = await servedService(body, given, status);
    const { ok, error, content } = await run.observe("rooms", {}, { onRecord: true });
    expect({ ok, kind: error?.kind }).toEqual({ ok: false, kind });
    expect(content).not.toContain("Done");
  });
});

describe("a service that had nothing to give", () => {
  it.each<{ name: string; body: Json; path: string }>([
    { name: "only its code", body: { code: 0 }, path: "data" },
    {
      name: "its code and words",
      body: { code: 0, message: "ok", requestId: "r1" },
      path: "data.items",
    },
    { name: "null", body: { code: 0, data: null }, path: "data" },
    { name: "null where the list would be", body: { code: 0, data: null }, path: "data.items" },
  ])("answered with $name", async ({ body, path }) => {
    const { run } = await servedService(body, { success: isDone, data: path });
    const { ok, content } = await run.observe("rooms", {});
    expect(ok).toBe(true);
    expect(content).toContain("Done: the service answered, and gave no data.");
  });

  it.each<{ name: string; body: Json; given: ServiceChanges }>([
    { name: "something else", body: booked, given: { success: isDone, data: "data" } },
    {
      name: "another field of it",
      body: { code: 0, data: { rows: [] } },
      given: { success: isDone, data: "data.items" },
    },
    {
      name: "no code that it could be known by",
      body: { message: "full" },
      given: { data: "data" },
    },
  ])("is not what answered with $name", async ({ body, given }) => {
    const { run } = await servedService(body, given);
    expect((await run.observe("rooms", {})).ok).toBe(false);
  });
});
