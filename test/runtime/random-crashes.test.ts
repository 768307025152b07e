import { describe, expect, it, vi } from "vitest";

import { type CrashCase, crashGraphs } from "../support/crash-case.js";
import { startPostgres, whyNoPostgres } from "../support/postgres.js";
import { type CaseFigures, crashAtRandom, killsOf } from "../support/random-crashes.js";
import { someOf, timesOf } from "../support/rows.js";

vi.setConfig({ testTimeout: 180_000 });

/** Two programs at a time: a run alone, and one in another graph. */
async function crashes(
  given: Omit<CrashCase, "place" | "decision">,
  kills: number,
  decisions: readonly [CrashCase["decision"], CrashCase["decision"]],
): Promise<CaseFigures[]> {
  const places = ["alone", "in a node"] as const;
  return Promise.all(
    places.map((place, at) =>
      crashAtRandom(
        { ...given, place, decision: decisions[at] ?? "reject" },
        { kills, seed: `${given.graph} ${place}` },
      ),
    ),
  );
}

const kills = timesOf({ all: 3, usually: 1 });

describe.each(someOf(crashGraphs, 2))(
  "the graph %s on SQLite, alone and in another graph",
  (graph) => {
    it("killed at random goes on where it was: nothing finished is done again, no write by itself", async () => {
      const figures = await crashes({ graph, database: "sqlite" }, kills, ["approve", "reject"]);
      expect(figures).toMatchObject([
        { problems: [], repeated: 0 },
        { problems: [], repeated: 0 },
      ]);
      for (const each of figures) expect(killsOf(each)).toBeGreaterThanOrEqual(kills);
    });
  },
);

const reason = whyNoPostgres();
const title = reason === undefined ? "" : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`on Postgres${title}`, () => {
  it("a run killed at random goes on where it was", async () => {
    const { url, stop } = await startPostgres();
    try {
      const figures = await crashes({ graph: "react", database: url }, 2, ["reject", "approve"]);
      expect(figures).toMatchObject([
        { problems: [], repeated: 0 },
        { problems: [], repeated: 0 },
      ]);
    } finally {
      await stop();
    }
  });
});
