import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type Action, readAction } from "../../../src/models/protocol/read-action.js";
import { readTextCalls } from "../../../src/models/protocol/read-text-calls.js";
import { splitThoughts } from "../../../src/models/protocol/text.js";

const Reads = z.looseObject({ kind: z.enum(["call", "answer", "neither"]) });
const Tools = z.record(z.string(), z.looseObject({ description: z.string() }));
const Real = z.object({
  shape: z.string(),
  question: z.string(),
  tools: z.array(z.string()),
  finish_reason: z.string(),
  content: z.string(),
  reads: Reads,
});
const Shaped = z.object({
  name: z.string(),
  protocol: z.enum(["native", "json"]),
  content: z.string(),
  reads: Reads,
});

function fixture(name: string): unknown {
  const url = new URL(`../../fixtures/real-replies/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8"));
}

const tools = Object.entries(Tools.parse(fixture("tools"))).map(([name, tool]) => ({
  name,
  description: tool.description,
  parameters: tool["parameters"],
}));

/** What a reply reads as, in the words of the labels. */
function read(
  content: string,
  protocol: "native" | "json",
  names: readonly string[],
  meant: string,
  cut = false,
) {
  const offered = tools.filter(({ name }) => names.includes(name));
  const action =
    protocol === "json" ? readAction(content, offered, cut) : readTextCalls(content, offered, cut);
  if (action === undefined || isMentioned(action, meant)) {
    const text = splitThoughts(content).rest;
    return text.trim() === "" ? { kind: "neither" } : { kind: "answer", text };
  }
  if (action.kind === "neither") return { kind: "neither" };
  if (action.kind === "answer") return { kind: "answer", text: action.text };
  return { kind: "call", calls: action.calls };
}

/** Of a call among words the model is asked whether it means it: the label says what it will say. */
function isMentioned(action: Action, meant: string): boolean {
  return action.kind === "calls" && !action.isAlone && meant === "answer";
}

describe("the replies of a small real model", () => {
  it.each(z.array(Real).parse(fixture("actions")))(
    "$shape: $question",
    ({ shape, content, tools: names, finish_reason, reads }) => {
      const protocol = shape.startsWith("native") ? "native" : "json";
      expect(read(content, protocol, names, reads.kind, finish_reason === "length")).toEqual(reads);
    },
  );
});

describe("replies in the shapes of other models", () => {
  const names = ["search", "calculator", "find_rooms", "book_room", "current_date"];

  it.each(z.array(Shaped).parse(fixture("shaped")))(
    "$protocol: $name",
    ({ protocol, content, reads }) => {
      expect(read(content, protocol, names, reads.kind)).toEqual(reads);
    },
  );
});
