import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { replyProblem, withReadableCalls } from "../../src/models/reply.js";
import { readArguments } from "../../src/tools/read-arguments.js";
import { timesOf } from "../support/rows.js";
import { hardCalls, plainCalls } from "./calls.js";
import { kinds, noisyJson, noisyReply, slipsOf } from "./replies.js";
import { outcomeOf, outcomeOfCalls } from "./run-reply.js";
import { shapes } from "./shapes.js";
import { noiseTools } from "./tools.js";

/** The same cases in every run. */
const seed = 20_311;
const protocols = ["json", "text"] as const;
const calls = fc.oneof(plainCalls, hardCalls);
const jsonShapes = shapes.filter(({ isJson }) => isJson);

describe("a reply with one to three slips", () => {
  it.each(kinds)(
    "of which one is $name never runs another call than the one meant",
    async (kind) => {
      const cases = fc.record({
        call: calls,
        shape: fc.constantFrom(...shapes),
        slips: slipsOf(kind),
      });
      await fc.assert(
        fc.asyncProperty(cases, fc.boolean(), async ({ call, shape, slips }, isCut) => {
          const { text, saysOther } = noisyReply(call, shape, slips);
          fc.pre(shape.fits(call) && !saysOther);
          for (const protocol of protocols) {
            expect(`${await outcomeOf(text, call, protocol, isCut)}: ${text}`).not.toMatch(
              /^wrong/,
            );
          }
        }),
        { numRuns: timesOf({ all: 90, usually: 45 }), seed },
      );
    },
  );
});

describe("a reply with one slip", () => {
  it.each(kinds.filter(({ oracle }) => oracle === "recovers"))(
    "is read where a careful human reads it: $name",
    async (kind) => {
      const cases = fc.record({
        call: plainCalls,
        shape: fc.constantFrom(...jsonShapes),
        at: fc.nat(),
      });
      await fc.assert(
        fc.asyncProperty(cases, async ({ call, shape, at }) => {
          const { text } = noisyReply(call, shape, [{ kind, at }]);
          for (const protocol of protocols) {
            expect(`${await outcomeOf(text, call, protocol)}: ${text}`).toMatch(/^exact/);
          }
        }),
        { numRuns: timesOf({ all: 40, usually: 20 }), seed },
      );
    },
  );

  it.each(kinds.filter(({ oracle }) => oracle === "must refuse"))(
    "runs nothing where something is left out: $name",
    async (kind) => {
      const cases = fc.record({ call: calls, shape: fc.constantFrom(...jsonShapes), at: fc.nat() });
      await fc.assert(
        fc.asyncProperty(cases, async ({ call, shape, at }) => {
          const { text } = noisyReply(call, shape, [{ kind, at }]);
          fc.pre(text !== noisyReply(call, shape, []).text);
          for (const protocol of protocols) {
            expect(`${await outcomeOf(text, call, protocol)}: ${text}`).toMatch(
              /^(?:sent back|text)/,
            );
          }
        }),
        { numRuns: timesOf({ all: 100, usually: 50 }), seed },
      );
    },
  );
});

it.each(shapes.filter(({ reads }) => reads))("reads $name as it is", async (shape) => {
  await fc.assert(
    fc.asyncProperty(plainCalls, async (call) => {
      fc.pre(shape.fits(call));
      const { text } = noisyReply(call, shape, []);
      for (const protocol of protocols) {
        expect(`${await outcomeOf(text, call, protocol)}: ${text}`).toMatch(/^exact/);
      }
    }),
    { numRuns: timesOf({ all: 60, usually: 30 }), seed },
  );
});

describe("a reply that ends at any place", () => {
  const cases = fc.record({ call: calls, shape: fc.constantFrom(...shapes) });

  it.each([
    { name: "whether or not it is known to be cut", of: jsonShapes, cuts: [true, false] },
    { name: "when it is known to be cut", of: shapes, cuts: [true] },
  ])("never runs a shortened call, $name", async ({ of, cuts }) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ call, shape }) => {
        fc.pre(of.includes(shape) && shape.fits(call));
        const { text } = noisyReply(call, shape, []);
        for (let end = 0; end < text.length; end += 1) {
          for (const isCut of cuts) {
            const part = text.slice(0, end);
            const protocol = protocols[end % 2] ?? "json";
            expect(`${await outcomeOf(part, call, protocol, isCut)}: ${part}`).not.toMatch(
              /^wrong/,
            );
          }
        }
      }),
      { numRuns: timesOf({ all: 40, usually: 20 }), seed },
    );
  });

  it("never does so where the bytes of a character are parted", async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), async ({ call, shape }, at) => {
        fc.pre(shape.isJson);
        const bytes = Buffer.from(noisyReply(call, shape, []).text);
        const part = new TextDecoder().decode(bytes.subarray(0, at % bytes.length));
        for (const protocol of protocols) {
          expect(`${await outcomeOf(part, call, protocol)}: ${part}`).not.toMatch(/^wrong/);
        }
      }),
      { numRuns: timesOf({ all: 400, usually: 200 }), seed },
    );
  });
});

describe("native arguments with slips", () => {
  const slips = fc.constantFrom(...kinds).chain(slipsOf);

  it("run the call meant or none, whole and streamed", async () => {
    await fc.assert(
      fc.asyncProperty(calls, slips, async (call, wrong) => {
        const args = noisyJson(call.args, wrong);
        const { name } = call;
        const broken = { type: "invalid_tool_call" as const, id: "1", name, args };
        const chunk = { type: "tool_call_chunk" as const, id: "1", index: 0, name, args };
        for (const reply of [
          new AIMessage({ content: "", invalid_tool_calls: [broken] }),
          new AIMessageChunk({ content: "", tool_call_chunks: [chunk] }),
        ]) {
          const read = withReadableCalls(reply);
          const made = replyProblem(read) === undefined ? (read.tool_calls ?? []) : [];
          expect(`${await outcomeOfCalls(made, call)}: ${args}`).not.toMatch(/^wrong/);
        }
      }),
      { numRuns: timesOf({ all: 600, usually: 300 }), seed },
    );
  });

  it("are read as the tools' runner reads them, or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(calls, slips, async (call, wrong) => {
        const read = readArguments(noisyJson(call.args, wrong));
        const made = read.ok ? [{ name: call.name, args: read.args }] : [];
        expect(await outcomeOfCalls(made, call)).not.toBe("wrong");
      }),
      { numRuns: timesOf({ all: 600, usually: 300 }), seed },
    );
  });
});

it("has tools of which each is called", () => {
  const names = new Set(fc.sample(calls, { numRuns: 200, seed }).map(({ name }) => name));
  expect([...names].toSorted()).toEqual(noiseTools.map(({ name }) => name).toSorted());
});
