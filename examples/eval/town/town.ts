// The invented town of Harrowmere. No model knows it, so every right answer was looked up. Its figures come from a seed:
// the same questions can be asked in a town of other figures.

/** A thing of the town: its figures and the things it belongs to by name, and its figures of single years. */
type Thing = {
  readonly name: string;
  readonly facts: { readonly [fact: string]: number | string };
  /** `{ people: { 2015: 4100, … } }` */
  readonly yearly: { readonly [figure: string]: { readonly [year: string]: number } };
  /** What the handbook says. */
  readonly text: string;
};

/** The years that have figures of their own. */
export const years: readonly number[] = [2015, 2020, 2025];

/** From, to and step of a figure. */
type Range = readonly [from: number, to: number, step: number];

type Kind = {
  readonly names: readonly string[];
  readonly figures: { readonly [fact: string]: Range };
  /** Facts that are names. */
  readonly links: { readonly [fact: string]: readonly string[] };
  readonly yearly: { readonly [figure: string]: Range };
  readonly text: string;
};

const districts = "Ashgate, Millrow, Harbour End, Copperfield, Saint Orrin, Low Meadow".split(", ");
const firms = "Orsk Foundry, Belwin Mills, Tarrant Glass, Quillon Brewery, Vane Shipyard".split(
  ", ",
);
const people = "Ida Marsh, Tom Fenner, Greta Voss, Odo Pell, Runa Slate, Emil Hark".split(", ");

const kinds: readonly Kind[] = [
  {
    names: districts,
    figures: { area: [80, 640, 10], streets: [22, 90, 1] },
    links: { elder: people },
    yearly: { people: [3200, 19_800, 100], homes: [1400, 8200, 100] },
    text: "{name} is a district of Harrowmere. It covers {area} hectares and has {streets} streets. Its elder is {elder}.",
  },
  {
    names: ["Tanner Bridge", "Swan Bridge", "Orrin Bridge", "Chain Bridge"],
    figures: { length: [60, 480, 4], opened: [1822, 1988, 1], arches: [3, 14, 1] },
    links: { builder: firms },
    yearly: {},
    text: "The {name} was opened in {opened}. It is {length} metres long, stands on {arches} arches and was built by {builder}.",
  },
  {
    names: firms,
    figures: { founded: [1740, 1930, 1], ships: [2, 40, 1] },
    links: { head: people, seat: districts },
    yearly: { revenue: [1200, 9600, 50], workers: [120, 980, 10] },
    text: "{name}, founded in {founded}, has its seat in {seat}. It is headed by {head} and owns {ships} barges.",
  },
  {
    names: ["Ashgate School", "Lantern School", "Weavers School"],
    figures: { teachers: [18, 74, 1], rooms: [20, 60, 1], opened: [1860, 1990, 1] },
    links: { district: districts },
    yearly: { pupils: [280, 1240, 10] },
    text: "The {name} in {district} was opened in {opened}. It has {teachers} teachers and {rooms} rooms.",
  },
  {
    names: ["Willow Park", "Castle Park", "Lime Park"],
    figures: { area: [6, 58, 1], trees: [420, 3900, 10] },
    links: { district: districts },
    yearly: {},
    text: "{name} in {district}: {trees} trees on {area} hectares. Closed after dark.",
  },
  {
    names: ["Bell Tower", "Water Tower", "Gull Tower"],
    figures: { height: [31, 118, 1], built: [1504, 1936, 1], steps: [140, 620, 4] },
    links: { district: districts },
    yearly: {},
    text: "{name}. height_m={height}; built={built}; steps={steps}; district={district}.",
  },
  {
    names: ["Clock Museum", "River Museum", "Salt Museum"],
    figures: { rooms: [9, 44, 1], opened: [1871, 1994, 1], ticket: [4, 19, 1] },
    links: { district: districts },
    yearly: { visitors: [18_000, 96_000, 500] },
    text: "The {name} in {district}, opened in {opened}, has {rooms} rooms. A ticket costs {ticket} crowns.",
  },
  {
    names: ["Red Line", "Blue Line", "Green Line"],
    figures: { length: [6, 31, 0.5], stops: [8, 34, 1], minutes: [18, 64, 2] },
    links: { depot: districts },
    yearly: {},
    text: "The {name} of the tram is {length} kilometres long, has {stops} stops and takes {minutes} minutes. Its depot is in {depot}.",
  },
  {
    names: ["Rill lamp", "Sebb lamp", "Corvo lamp"],
    figures: { price: [18, 96, 2], weight: [0.4, 3.6, 0.1] },
    links: { maker: firms },
    yearly: {},
    text: "The {name} by {maker} costs {price} crowns and weighs {weight} kilograms.",
  },
  {
    names: people,
    figures: { born: [1948, 1992, 1], books: [1, 60, 1] },
    links: { home: districts },
    yearly: {},
    text: "{name}, born in {born}, lives in {home} and has written {books} books.",
  },
];

export type Town = ReadonlyMap<string, Thing>;

/** Makes the town with the figures of a seed. No two things of a kind share a figure: one is always larger. */
export function createTown(seed = 1): Town {
  const random = randomNumbers(seed);
  const things = kinds.flatMap(({ names, figures, links, yearly, text }) => {
    const figureOf = drawers(mapped({ ...figures, ...yearly }, valuesIn), random);
    const nameOf = drawers(links, random);
    return names.map((name): Thing => {
      const facts = {
        ...mapped(figures, (_, fact) => figureOf(fact)),
        ...mapped(links, (_, fact) => nameOf(fact)),
      };
      const ofYears = mapped(yearly, (_, fact) =>
        Object.fromEntries(years.map((year) => [year, figureOf(fact)])),
      );
      const said = text.replaceAll(/\{(\w+)\}/g, (_, fact: string) =>
        fact === "name" ? name : String(facts[fact]),
      );
      return { name, facts, yearly: ofYears, text: said };
    });
  });
  return new Map(things.map((thing) => [thing.name, thing]));
}

/** Draws for each fact one of its values after the other, none twice. */
function drawers<T>(lists: { readonly [fact: string]: readonly T[] }, random: () => number) {
  const left = new Map(Object.entries(lists).map(([fact, values]) => [fact, [...values]]));
  return (fact: string): T => {
    const values = left.get(fact) ?? [];
    const [value] = values.splice(Math.floor(random() * values.length), 1);
    if (value === undefined) throw new Error(`There is no value left for ${fact}.`);
    return value;
  };
}

function mapped<T, U>(
  fields: { readonly [name: string]: T },
  change: (value: T, name: string) => U,
): { readonly [name: string]: U } {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, change(value, name)]),
  );
}

function valuesIn([from, to, step]: Range): number[] {
  const count = Math.round((to - from) / step) + 1;
  return Array.from({ length: count }, (_, at) => Number((from + at * step).toFixed(1)));
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) % 2 ** 32;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
