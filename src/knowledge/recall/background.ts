import { z } from "zod";

import type { KnowledgeStore } from "../store/store.js";

/** How near any two texts of a base are: what a cosine is compared with. */
export type Background = z.infer<typeof BackgroundFact>;

const BackgroundFact = z.object({ mean: z.number(), deviation: z.number() });

/** For a base with too few texts to say. */
const unknown: Background = { mean: 0.5, deviation: 0.15 };

const sampleSize = 150;
const fewest = 10;

/** The background of a base. */
export async function backgroundOf(store: KnowledgeStore): Promise<Background> {
  const fact = await store.fact("background");
  return fact === undefined ? unknown : BackgroundFact.parse(fact);
}

/** Measures the background of a base, and keeps it as a fact. */
export async function keepBackground(store: KnowledgeStore): Promise<void> {
  const vectors = (await store.sample(sampleSize)).map(({ vector }) => vector);
  if (vectors.length < fewest) {
    await store.setFact("background", undefined);
    return;
  }
  const cosines = vectors.flatMap((left, at) =>
    vectors
      .slice(at + 1)
      .map((right) => left.reduce((sum, one, place) => sum + one * (right[place] ?? 0), 0)),
  );
  const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length;
  const variance = cosines.reduce((sum, one) => sum + (one - mean) ** 2, 0) / cosines.length;
  await store.setFact("background", { mean, deviation: Math.max(Math.sqrt(variance), 1e-3) });
}
