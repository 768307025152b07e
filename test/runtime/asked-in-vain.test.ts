import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import type { ErrorKind, Observation } from "../../src/state/observation.js";
import { call, counted, found, tools } from "../support/look-ups.js";

const question = "How many people lived in 2025 in the Bell Tower?";
const bell = found("Bell Tower", "Bell Tower. built=1890; steps=392; district=Harbour End.");
const water = found("Water Tower", "The Water Tower, built in 1652, stands in Tarn End.");
const refused = (name: string, kind: ErrorKind = "rejected"): Observation => ({
  ...call("census", { name, year: 2025 }, "Error: There are no figures of that."),
  error: { kind, message: "There are no figures of that." },
});

const toldOf = (calls: readonly Observation[], asked = question, namesAll = true) =>
  openPoint({ question: asked, turns: calls.map((each) => [each]), namesAll }, tools);

describe("a tool that knows nothing about a name of the question", () => {
  it("is called about the one name to which that leads", () => {
    expect(toldOf([bell, refused("Bell Tower")])).toEqual({
      told: 'census knows nothing about "Bell Tower", and the result about that names "Harbour End". Call it about "Harbour End".',
      of: ["census"],
      calls: [{ tool: "census", args: { name: "Harbour End", year: 2025 } }],
    });
  });

  it("also where it was called first, and where the other name was looked up", () => {
    const end = found("Harbour End", "Harbour End is a district of Harrow. Its elder is Odo Pell.");
    expect(toldOf([refused("Bell Tower"), bell])?.told).toContain('Call it about "Harbour End".');
    expect(toldOf([bell, end, refused("Bell Tower")])?.told).toContain(
      'Call it about "Harbour End".',
    );
  });

  it("is called about those of several names", () => {
    const both = "How many people lived in 2025 in the Bell Tower and in the Water Tower?";
    const calls = [bell, water, refused("Bell Tower"), refused("Water Tower")];
    expect(toldOf(calls, both, false)).toMatchObject({
      told: 'census knows nothing about "Bell Tower", and the result about that names "Harbour End". Call it about "Harbour End".',
      calls: [{ args: { name: "Harbour End" } }, { args: { name: "Tarn End" } }],
    });
  });

  it("is called about one name after the other where it was called about all at once", () => {
    const both = "How many people lived in 2025 in the Bell Tower and the Water Tower?";
    const joined = {
      ...refused("Bell Tower, Water Tower"),
      content: "Error: no Bell Tower, Water Tower.",
    };
    const calls = [bell, water, joined];
    expect(toldOf(calls, both)).toEqual({
      told: 'census knows nothing about "Bell Tower", and the result about that names "Harbour End". Call it about "Harbour End".',
      of: ["census"],
      calls: [],
    });
    expect(toldOf([...calls, counted("Harbour End")], both)?.told).toContain(
      'Call it about "Tarn End".',
    );
  });

  it("is called without the noun that belongs to the name, by a plan not with other words", () => {
    const lamps = "How many workers made the Rill lamp and the Sebb lamp in 2025?";
    const rill = found("Rill lamp", "The Rill lamp by Tarn Glass costs 38 crowns.");
    const noun = toldOf([rill, refused("Rill lamp")], lamps);
    const more = toldOf([rill, refused("the new Rill lamp")], lamps);
    expect(noun?.calls).toEqual([{ tool: "census", args: { name: "Tarn Glass", year: 2025 } }]);
    expect(more).toMatchObject({ told: noun?.told, calls: [] });
  });

  it.each<{ name: string; calls: readonly Observation[] }>([
    {
      name: "where it was called about that",
      calls: [bell, refused("Bell Tower"), counted("Harbour End")],
    },
    {
      name: "where it refused that, too",
      calls: [bell, refused("Bell Tower"), refused("Harbour End")],
    },
    {
      name: "where it was asked for a year that nobody said",
      calls: [bell, { ...refused("Bell Tower"), args: { name: "Bell Tower", year: 2020 } }],
    },
    { name: "where it could not be reached", calls: [bell, refused("Bell Tower", "unavailable")] },
    { name: "where it took too long", calls: [bell, refused("Bell Tower", "timeout")] },
    { name: "where the call was not allowed", calls: [bell, refused("Bell Tower", "denied")] },
    {
      name: "where it has told of the name",
      calls: [bell, refused("Bell Tower"), counted("Bell Tower")],
    },
    {
      name: "where there are several names",
      calls: [
        found("Bell Tower", "The Bell Tower in Harbour End was built by Tarn Glass."),
        refused("Bell Tower"),
      ],
    },
    {
      name: "where there is none",
      calls: [found("Bell Tower", "It has 392 steps."), refused("Bell Tower")],
    },
    {
      name: "where the text is not trusted",
      calls: [{ ...bell, trust: "untrusted" }, refused("Bell Tower")],
    },
    {
      name: "where a passage tells the name",
      calls: [
        found("Bell Tower", `${bell.content}${" It is high.".repeat(50)}`),
        refused("Bell Tower"),
      ],
    },
    {
      name: "where the name is long",
      calls: [found("Bell Tower", `district=Harbour${" End".repeat(12)}.`), refused("Bell Tower")],
    },
    { name: "where the call was about another name", calls: [bell, refused("Gull Tower")] },
  ])("but not $name", ({ calls }) => {
    expect(toldOf(calls)?.told ?? "").not.toContain("Call it about");
  });
});
