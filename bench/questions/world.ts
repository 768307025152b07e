import { tool } from "@langchain/core/tools";
import { z } from "zod";

/** What is known of one thing: the name by which a query finds it, and what the search then gives. */
type Entry = { readonly name: string; readonly text: string };

/**
 * An invented world: no model knows it, so that every right answer was looked up. Some entries are bare
 * figures, some are prose, as results of a search are.
 */
const world: readonly Entry[] = [
  { name: "Kessa", text: "Mount Kessa. height_m=4875 (metres)." },
  { name: "Orvane", text: "Mount Orvane. height_m=3920 (metres)." },
  { name: "Tolbrand", text: "Mount Tolbrand is 2650 metres high." },
  { name: "Dunmar", text: "Lake Dunmar. area=936 square kilometres." },
  { name: "Sorrel", text: "Lake Sorrel. area=52 square kilometres." },
  { name: "Everil", text: "Lake Everil is 150 metres deep at its deepest." },
  { name: "Nyss", text: "Lake Nyss. depth_m=95 (metres)." },
  { name: "Amble", text: "The river Amble is 412 km long." },
  { name: "Teyne", text: "The river Teyne. length 378 km." },
  { name: "Corrow", text: "The river Corrow. length 640 km." },
  { name: "Lissen", text: "The river Lissen is 596 km long." },
  { name: "Vellin", text: "City of Vellin. population 640000." },
  { name: "Marrow", text: "Marrow is a town of 85000 people." },
  { name: "Oskary", text: "Town of Oskary. population 27500." },
  { name: "Pellan", text: "City of Pellan. population=910000 (2019)." },
  { name: "Druce", text: "Town of Druce. population 120000." },
  { name: "Fenby", text: "Fenby is a port with 64000 inhabitants." },
  { name: "Quarl", text: "The Quarl Bridge was opened in 1874." },
  { name: "Hesper", text: "Hesper Bridge. opened=1931." },
  { name: "Wendle", text: "The Wendle Library was founded in 1688 by Ada Wendle." },
  { name: "Stroud", text: "Stroud Museum. founded=1843." },
  { name: "Rinto", text: "Rinto lamp. price 36 crowns." },
  { name: "Sebbe", text: "A Sebbe lamp costs 58 crowns." },
  { name: "Ulm", text: "Ulm chair. price=145 (crowns)." },
  { name: "Varo", text: "A Varo table costs 420 crowns." },
  { name: "Quell", text: "Quell Tower. height 212 m." },
  { name: "Brask", text: "Brask Tower is 305 m high." },
  { name: "Immer", text: "Immer Tower. height_m=188 (metres)." },
  { name: "Ardle", text: "The Ardle tunnel is 12.6 km long." },
  { name: "Mosside", text: "Mosside tunnel. length 4.5 km." },
  { name: "Dellmoor", text: "Dellmoor has 2400 hectares of fields, 540 of them orchards." },
  { name: "Skarn", text: "The Skarn express travels at 140 km an hour." },
  { name: "Halcyra", text: "The ship Halcyra. weight 18400 tonnes." },
  { name: "Bruntvik", text: "The ship Bruntvik weighs 15950 tonnes." },
];

function found(query: string): string {
  const asked = query.toLowerCase();
  const entries = world.filter(({ name }) => asked.includes(name.toLowerCase()));
  return entries.length === 0
    ? `Nothing found for "${query}".`
    : entries.map(({ text }) => text).join("\n");
}

/** Searches the invented world. */
export const search = tool(({ query }: { readonly query: string }) => found(query), {
  name: "search",
  description: "Facts about one named place, building, person or thing.",
  schema: z.object({ query: z.string().describe("What to look for, with its name.") }),
});
