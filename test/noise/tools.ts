import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { toolForm } from "../../src/models/model-request.js";

const done = () => "Done.";

const search = tool(done, {
  name: "search",
  description: "Facts about one named place, person or thing.",
  schema: z.object({ query: z.string() }),
});

const removeFile = tool(done, {
  name: "remove_file",
  description: "Removes a file.",
  schema: z.object({ path: z.string(), recursive: z.boolean().optional() }),
});

const bookRoom = tool(done, {
  name: "book_room",
  description: "Books a room.",
  schema: z.object({
    room: z.string(),
    people: z.number(),
    start: z.string(),
    equipment: z.array(z.string()),
    notify: z.boolean().optional(),
  }),
});

const findOrders = tool(done, {
  name: "find-orders",
  description: "Orders that fit a filter.",
  schema: z.object({
    filter: z.object({
      status: z.enum(["open", "paid"]),
      minTotal: z.number(),
      tags: z.array(z.string()),
      note: z.string().nullable(),
    }),
    limit: z.number().optional(),
  }),
});

/** Its arguments look like a call of another tool. */
const schedule = tool(done, {
  name: "schedule",
  description: "Has something done later.",
  schema: z.object({
    name: z.string(),
    arguments: z.record(z.string(), z.string()),
    answer: z.string().optional(),
  }),
});

/** Tools with arguments of every type: texts, numbers, booleans, lists, objects, what may be null or left out. */
export const noiseTools = [search, removeFile, bookRoom, findOrders, schedule] as const;

/** The same as prompts tell of them. */
export const noiseForms = noiseTools.map((each) => toolForm(each));
