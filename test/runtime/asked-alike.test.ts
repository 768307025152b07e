import { describe, expect, it } from "vitest";

import { askedAlike } from "../../src/runtime/asked-alike.js";
import type { Observation } from "../../src/state/observation.js";
import { call, counted, found, missing } from "../support/look-ups.js";

const about = (name: string, each: Observation) => ({ call: each, about: [name] });

const inns = ["Falbo Inn", "Renn Inn", "Dorn Inn"];
const seen = inns.map((name) => about(name, found(name, `${name}: 30 rooms.`)));
const guests = (name: string, year = 2025) =>
  about(name, call("census", { name, year }, JSON.stringify({ name, year, guests: 900 })));

describe("what one name was asked, the others are asked", () => {
  it.each([
    {
      name: "in the same words",
      question: "How many guests had the inns in 2025?",
      reads: [...seen, guests("Falbo Inn")],
      calls: [
        { tool: "census", args: { name: "Renn Inn", year: 2025 } },
        { tool: "census", args: { name: "Dorn Inn", year: 2025 } },
      ],
    },
    {
      name: "in each of its calls",
      question: "By how many guests did the inns grow from 2020 to 2025?",
      reads: [...seen.slice(0, 2), guests("Falbo Inn", 2020), guests("Falbo Inn", 2025)],
      calls: [
        { tool: "census", args: { name: "Renn Inn", year: 2020 } },
        { tool: "census", args: { name: "Renn Inn", year: 2025 } },
      ],
    },
    {
      name: "within longer words",
      question: "How many guests had the inns?",
      reads: [
        ...seen.slice(0, 2),
        about("Falbo Inn", call("search", { query: "guests of the Falbo Inn" }, "900 visitors")),
      ],
      calls: [{ tool: "search", args: { query: "guests of the Renn Inn" } }],
    },
    {
      name: "where the last call told nothing of what is asked",
      question: "Which inn has the most rooms?",
      reads: [...seen.slice(0, 1), about("Renn Inn", counted("Renn Inn"))],
      calls: [{ tool: "look_up", args: { name: "Renn Inn" } }],
    },
    {
      name: "by a model, where the call did not have the name as it is",
      question: "How many guests had the inns?",
      reads: [...seen.slice(0, 2), about("Falbo Inn", call("census", { id: 7 }, "900 guests"))],
      calls: [],
    },
    {
      name: "by a model, where the call was about several",
      question: "How many guests had the inns?",
      reads: [
        ...seen,
        { call: counted("Falbo Inn and Renn Inn"), about: ["Falbo Inn", "Renn Inn"] },
      ],
      calls: [],
    },
    {
      name: "by a model, where the call failed",
      question: "How many guests had the inns?",
      reads: [...seen.slice(0, 2), about("Falbo Inn", missing("census", "Falbo Inn"))],
      calls: [],
    },
  ])("$name", ({ question, reads, calls }) => {
    expect(askedAlike(question, reads)?.calls).toEqual(calls);
  });

  it.each([
    { name: "the last call told nothing of what is asked", reads: [...seen, guests("Falbo Inn")] },
    { name: "all were asked", reads: seen },
    { name: "nothing was asked", reads: [] },
    { name: "no call has a name", reads: [{ call: counted("Ossel"), about: [] }] },
  ])("but not where $name", ({ reads }) => {
    expect(askedAlike("Which inn has the most rooms?", reads)).toBeUndefined();
  });

  it("names all of them", () => {
    const open = askedAlike("How many guests had the inns?", [...seen, guests("Falbo Inn")]);
    expect(open?.told).toBe('census was not called about "Renn Inn" and "Dorn Inn" yet.');
    expect(open?.of).toEqual(["census"]);
  });
});
