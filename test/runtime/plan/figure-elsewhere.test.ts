import { expect, it } from "vitest";

import { meantFigure } from "../../../src/runtime/plan/meant-figure.js";

const museum = {
  args: { name: "Clock Museum" },
  content: "The Clock Museum in Millrow, opened in 1951, has 31 rooms. A ticket costs 4 crowns.",
};
const visitors = {
  args: { name: "Clock Museum", year: 2025 },
  content: '{"name":"Clock Museum","year":2025,"visitors":68500}',
  value: { name: "Clock Museum", year: 2025, visitors: 68_500 },
};
const yard = {
  args: { name: "Vane Shipyard" },
  content: "Vane Shipyard, founded in 1740, owns 10 barges.",
};
const revenue = (year: number, figure: number) => ({
  args: { name: "Vane Shipyard", year },
  content: "",
  value: { year, revenue: figure, workers: 850 },
});

it.each([
  {
    name: "the price that the visitors do not tell",
    asked: { ...visitors, purpose: "The cost of the Clock Museum ticket" },
    others: [museum],
    figure: 4,
  },
  {
    name: "a year's figure, where the purpose says the year",
    asked: { ...yard, purpose: "The revenue of Vane Shipyard in 2025" },
    others: [revenue(2025, 8550), revenue(2015, 7000)],
    figure: 8550,
  },
  {
    name: "what was asked for by its name, too",
    asked: { ...visitors, purpose: "The number of rooms of the Clock Museum" },
    others: [{ ...museum, args: { name: "Clock Museum rooms" } }],
    figure: 31,
  },
  {
    name: "one for a result without figures",
    asked: { ...yard, content: "It is headed by Ida Marsh.", purpose: "Its barges" },
    others: [yard],
    figure: 10,
  },
])("is $name", ({ asked, others, figure }) => {
  expect(meantFigure(asked, others)).toBe(figure);
});

const ticket = { ...visitors, purpose: "The cost of the Clock Museum ticket" };

it.each([
  {
    name: "the result tells it itself",
    asked: {
      ...visitors,
      purpose: "The rooms of the Clock Museum",
      value: { day: { rooms: 30 }, night: { rooms: 12 } },
    },
    others: [museum],
  },
  {
    name: "the other result is about another thing",
    asked: ticket,
    others: [{ ...museum, args: { name: "Salt Museum" } }],
  },
  {
    name: "the other thing has a longer name",
    asked: ticket,
    others: [{ ...museum, args: { name: "Clock Museum Café" } }],
  },
  {
    name: "the other thing has a shorter name",
    asked: ticket,
    others: [{ ...museum, args: { name: "Museum" } }],
  },
  { name: "the other call has no name", asked: ticket, others: [{ ...museum, args: {} }] },
  {
    name: "nobody asked about its year",
    asked: { ...yard, purpose: "The revenue of Vane Shipyard in 2025" },
    others: [revenue(2015, 7000)],
  },
  {
    name: "two results tell two",
    asked: ticket,
    others: [museum, { ...museum, content: "A ticket costs 5 crowns." }],
  },
  {
    name: "the other result has two",
    asked: ticket,
    others: [{ ...museum, content: "A ticket costs 5 crowns. A ticket at night costs 9 crowns." }],
  },
  {
    name: "no word says what is asked for",
    asked: { ...visitors, purpose: "The Clock Museum" },
    others: [museum],
  },
  { name: "there is no other result", asked: ticket, others: [ticket] },
])("is none where $name", ({ asked, others }) => {
  expect(meantFigure(asked, others)).toBeUndefined();
});
