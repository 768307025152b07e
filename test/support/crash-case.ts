import { z } from "zod";

/** The graphs that are killed. */
export const crashGraphs = ["react", "rewoo", "llm-compiler", "plan-execute"] as const;

/** Where they are put. */
export const crashPlaces = ["alone", "in a node", "as a tool"] as const;

/** What runs while it is killed. */
export const CrashCase = z.object({
  graph: z.enum(crashGraphs),
  place: z.enum(crashPlaces),
  /** "sqlite", or the address of a Postgres database. */
  database: z.string(),
  /** What people say when they are asked about a write that may have been run. */
  decision: z.enum(["approve", "reject"]),
});

/** What runs while it is killed. */
export type CrashCase = z.infer<typeof CrashCase>;
