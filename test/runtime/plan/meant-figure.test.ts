import { describe, expect, it } from "vitest";

import { meantFigure } from "../../../src/runtime/plan/meant-figure.js";

const tower = "Bell Tower. height_m=58; built=1890; steps=392; district=Harbour End.";
const line =
  "The Red Line of the tram is 22 kilometres long, has 15 stops and takes 44 minutes. Its depot is in Low Meadow.";
const park = "Castle Park in Harbour End: 3150 trees on 7 hectares. Closed after dark.";
const bridge =
  "The Tanner Bridge was opened in 1935. It is 188 metres long, stands on 14 arches and was built by Vane Shipyard.";
const texas = "Texas has 29,145,505 people. Its area is 695,662 square kilometres.";

describe("the figure that was asked for", () => {
  it.each([
    { purpose: "The height of the Bell Tower", content: tower, figure: 58 },
    { purpose: "How many steps the Bell Tower has", content: tower, figure: 392 },
    { purpose: "length of the Red Line", content: line, figure: 22 },
    { purpose: "The stops of the Red Line", content: line, figure: 15 },
    { purpose: "How long the Red Line takes, in minutes", content: line, figure: undefined },
    { purpose: "Trees in Castle Park", content: park, figure: 3150 },
    { purpose: "The area of Castle Park", content: park, figure: 7 },
    { purpose: "length of the Tanner Bridge", content: bridge, figure: 188 },
    { purpose: "When the Tanner Bridge was opened", content: bridge, figure: 1935 },
    { purpose: "population of Texas", content: texas, figure: 29_145_505 },
    { purpose: "area of Texas", content: texas, figure: 695_662 },
    { purpose: "the growth of Texas", content: "Its growth was 14 a year.", figure: 14 },
    { purpose: "", content: "412 km", figure: 412 },
    { purpose: "", content: "$36.", figure: 36 },
    { purpose: "weight of a Falbo bell", content: "It weighs 96 kg.", figure: 96 },
  ])("of $content for $purpose is $figure", ({ purpose, content, figure }) => {
    expect(meantFigure({ purpose, args: { name: "it" }, content })).toBe(figure);
  });

  const density = { name: "Low Meadow", year: 2020, people: 17_600, homes: 6200 };
  const district = "Low Meadow covers 140 hectares and has 39 streets.";
  it.each([
    {
      name: "where its own purpose does not tell them apart",
      asked: { purpose: "Low Meadow in 2020", content: JSON.stringify(density), value: density },
      aim: "People on each hectare",
      figure: 17_600,
    },
    {
      name: "by a field of a text",
      asked: { purpose: "Low Meadow", content: district },
      aim: "How many people live on each hectare",
      figure: 140,
    },
    {
      name: "by its age, however that is said",
      asked: { purpose: "Bell Tower", content: tower },
      aim: "Which tower is older",
      figure: 1890,
    },
  ])("is what it is needed for: $name", ({ asked, aim, figure }) => {
    expect(meantFigure({ ...asked, aim, args: { name: "it" } })).toBe(figure);
  });

  const lamp = "The Corvo lamp by Belwin Mills costs 26 crowns and weighs 1.8 kilograms.";
  it.each([
    { question: "What do 4 of them weigh together, in kilograms?", content: lamp, figure: 1.8 },
    { question: "What do 3 of them cost, in crowns?", content: lamp, figure: 26 },
    { question: "Which is longer, and by how many metres?", content: bridge, figure: 188 },
    { question: "How many thousand crowns are 4 of them?", content: lamp, figure: 26 },
    { question: "How heavy are 4 of them?", content: lamp, figure: 1.8 },
    { question: "How long are both together?", content: bridge, figure: 188 },
    { question: "How many people are there for each tree?", content: park, figure: 3150 },
    {
      question: "How many trees are there for each of its hectares?",
      content: park,
      figure: undefined,
    },
    { question: "How heavy are 4 of them for their price?", content: lamp, figure: undefined },
    { question: "How is the Heavy House?", content: lamp, figure: undefined },
    { question: "What are 4 of them in pounds?", content: lamp, figure: undefined },
    { question: "What are 4 of them in all?", content: lamp, figure: undefined },
    { question: "In crowns, is it 1 or how many kilograms?", content: lamp, figure: undefined },
  ])("is in the unit of $question: $figure", ({ question, content, figure }) => {
    const args = { name: "Corvo lamp" };
    const asked = { purpose: "The Corvo lamp", aim: "All of them", args, content };
    expect(meantFigure({ ...asked, question })).toBe(figure);
  });

  it.each([
    { purpose: "The price of a Corvo lamp", aim: "", figure: 26 },
    { purpose: "Corvo lamp", aim: "How heavy 4 lamps are", figure: 1.8 },
  ])(
    "is what its step says, whatever the unit of the question: $figure",
    ({ figure, ...asked }) => {
      const question = figure === 26 ? "How many kilograms?" : "How many crowns?";
      const args = { name: "Corvo lamp" };
      expect(meantFigure({ ...asked, question, args, content: lamp })).toBe(figure);
    },
  );

  const yard = "Vane Shipyard opened in 1906, was founded in 1865 and built in 1899.";
  it.each([
    { purpose: "When Vane Shipyard was founded", figure: 1865 },
    { purpose: "When Vane Shipyard opened", figure: 1906 },
    { purpose: "How old Vane Shipyard is", figure: undefined },
    { purpose: "When Ida Marsh was born", figure: undefined },
  ])("of several dates is the one that was asked for: $purpose", ({ purpose, figure }) => {
    expect(meantFigure({ purpose, args: { name: "it" }, content: yard })).toBe(figure);
  });

  it("is not said by the call alone", () => {
    const args = { query: "population of Texas" };
    expect(meantFigure({ purpose: "", args, content: texas })).toBeUndefined();
  });

  it.each([
    { purpose: "The people of Millrow in 2025", figure: 7300 },
    { purpose: "homes in Millrow", figure: 1800 },
    { purpose: "Millrow in 2025", figure: undefined },
    { purpose: "people and homes in Millrow", figure: undefined },
  ])("is the field with its name: $purpose", ({ purpose, figure }) => {
    const value = { name: "Millrow", year: 2025, people: 7300, homes: 1800 };
    const args = { name: "Millrow", year: 2025 };
    const content = JSON.stringify(value);
    expect(meantFigure({ purpose, args, content, value })).toBe(figure);
  });
});

describe("a figure is not taken for the one that was asked for", () => {
  it.each([
    {
      name: "its own purpose names another",
      purpose: "the height",
      aim: "Which has more steps",
    },
    { name: "it is derived", purpose: "growth of the steps", aim: "how many steps" },
    { name: "both are needed", purpose: "it", aim: "steps for each trap" },
    { name: "neither is needed", purpose: "it", aim: "Which is larger" },
    { name: "the aim is only a name", purpose: "it", aim: "The Steps House" },
  ])("where $name", ({ purpose, aim }) => {
    const content = "It has 392 steps, 12 traps.";
    expect(meantFigure({ purpose, aim, args: { name: "it" }, content })).toBeUndefined();
  });

  it.each([
    { name: "no word says so", purpose: "the price of it", content: tower },
    {
      name: "two say so",
      purpose: "the steps",
      content: "It has 12 steps. Its tower has 30 steps.",
    },
    { name: "it grew", purpose: "the growth of the population", content: texas },
    { name: "it is a share", purpose: "share of the area", content: texas },
    { name: "it is an average", purpose: "average number of steps", content: tower },
    { name: "only the name says so", purpose: "Red Line", content: "The Red Line has 15 stops." },
    { name: "the only figure is another", purpose: "the height", content: "It has 392 steps." },
    { name: "it may be 30 or 0.3", purpose: "the share", content: "Its share is 30%." },
    { name: "there is none", purpose: "the height", content: "Nothing is known of its height." },
    {
      name: "it was asked with",
      purpose: "pupils in 2015",
      content: "No pupils are listed for 2015.",
    },
    { name: "the result says no", purpose: "", content: "None of 3." },
    { name: "it is one in a list", purpose: "people", content: "[1,2]", value: [1, 2] },
    { name: "the fields have other names", purpose: "height", content: "", value: { a: 1, b: 2 } },
  ])("where $name", ({ purpose, content, value }) => {
    const args = { name: "it", year: 2015 };
    expect(meantFigure({ purpose, args, content, value })).toBeUndefined();
  });
});
