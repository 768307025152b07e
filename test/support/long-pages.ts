import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { type ToolPolicy, withPolicy } from "../../src/index.js";

/** A text that is the same nowhere: what is cut out of it shows. */
export const textOf = (chars: number) =>
  Array.from({ length: Math.ceil(chars / 8) }, (_, at) => `${String(at).padStart(7, "0")} `)
    .join("")
    .slice(0, chars);

/** A tool `page` that gives this result. */
export const page = (result: unknown, policy: ToolPolicy = {}) =>
  withPolicy(
    tool(() => result, { name: "page", description: "Reads.", schema: z.object({}) }),
    {
      effect: "read",
      ...policy,
    },
  );
