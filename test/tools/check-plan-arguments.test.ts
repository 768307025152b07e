import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { checkPlanArguments } from "../../src/tools/check-arguments.js";
import { createToolbox } from "../../src/tools/toolbox.js";
import { runScope } from "../support/run-scope.js";

const book = tool(() => "", {
  name: "book",
  description: "Books.",
  schema: z.object({
    room: z.string(),
    minutes: z.number(),
    note: z.string().optional(),
    day: z.iso.date().optional(),
  }),
});
const toolbox = createToolbox([book]);

it.each([
  { name: "arguments that fit", args: { room: "A3", minutes: 60 }, problems: [] },
  { name: "a number as text", args: { room: "A3", minutes: "60" }, problems: [] },
  {
    name: "a date in words",
    args: { room: "A3", minutes: 60, day: "last Monday" },
    problems: [],
  },
  {
    name: "what is no date",
    args: { room: "A3", minutes: 60, day: "soon" },
    problems: [expect.stringContaining('Write a date such as 2026-11-21, "last Monday"')],
  },
  { name: "a reference for a number", args: { room: "A3", minutes: "{{E1}}" }, problems: [] },
  {
    name: "a wrong type",
    args: { room: "A3", minutes: "long" },
    problems: [expect.stringContaining("minutes")],
  },
  {
    name: "a missing argument beside a reference",
    args: { room: "{{E1}}" },
    problems: ["minutes: expected a value, got none"],
  },
  {
    name: "an argument that does not exist beside a reference",
    args: { room: "{{E1}}", minutes: 60, colour: "red" },
    problems: ["colour: there is no such argument; there are room, minutes, note, day"],
  },
])("says of $name what is wrong", async ({ args, problems }) => {
  expect(await checkPlanArguments(toolbox, "book", args, runScope().run)).toEqual(problems);
});

it("says nothing of a tool that does not exist: the plan's own rules do", async () => {
  expect(await checkPlanArguments(toolbox, "cancel", {}, runScope().run)).toEqual([]);
});
