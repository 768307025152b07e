// What a base of many chunks costs: `npm run bench:recall-size -- 10000`, or `… 10000 postgresql://…` for a base in
// Postgres, in a schema that is dropped afterwards. Vectors are random, but the same for the same text; the words are
// those of a made-up vocabulary in which few words are frequent. CPU time is that of this process alone.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Embeddings } from "@langchain/core/embeddings";

import { openKnowledge } from "../../src/knowledge/index.js";

const dimension = 384;
const chunksOfPage = 100;
const rounds = 31;
const chunks = Number(process.argv[2] ?? 10_000);

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function seedOf(text: string): number {
  return Array.from(text).reduce((sum, one) => Math.imul(sum, 31) + (one.codePointAt(0) ?? 0), 7);
}

function vectorOf(text: string): number[] {
  const next = numbersFrom(seedOf(text));
  return Array.from({ length: dimension }, () => next() - 0.5);
}

class RandomEmbeddings extends Embeddings {
  override embedDocuments = async (texts: string[]) => texts.map(vectorOf);
  override embedQuery = async (text: string) => vectorOf(text);
}

const random = numbersFrom(1);
const word = () => `w${Math.floor(random() ** 3 * 20_000)}`;
const words = (count: number) => Array.from({ length: count }, word).join(" ");

/** What work takes, in milliseconds. */
async function timesOf<Result>(work: () => Promise<Result>) {
  const since = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, wall: performance.now() - since, cpu: (user + system) / 1_000 };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

async function medianOf(work: () => Promise<unknown>) {
  const times: { readonly wall: number; readonly cpu: number }[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timesOf(work));
  return {
    cpu: median(times.map(({ cpu }) => cpu)).toFixed(1),
    wall: median(times.map(({ wall }) => wall)).toFixed(1),
  };
}

const folder = mkdtempSync(join(tmpdir(), "plangraph-size-"));
const file = join(folder, "base.db");
const embeddings = new RandomEmbeddings({});
const filling = await openKnowledge({ file, embeddings });
const pages = Array.from({ length: chunks / chunksOfPage }, (_, page) => ({
  name: `page${page}.md`,
  content: Array.from(
    { length: chunksOfPage },
    (_none, at) => `# h${page} ${at}\n\n${words(60)}`,
  ).join("\n\n"),
}));
const half = pages.length / 2;
const ingested = await timesOf(async () => {
  await filling.ingest(pages.slice(0, half), { metadata: { half: "a" } });
  await filling.ingest(pages.slice(half), { metadata: { half: "b" } });
});
await filling.close();

globalThis.gc?.();
const before = process.memoryUsage().rss;
const opened = await timesOf(() => openKnowledge({ file, embeddings }));
const knowledge = opened.result;
const first = await timesOf(() => knowledge.recall(words(8)));
const all = await medianOf(() => knowledge.recall(words(8)));
const restricted = await medianOf(() => knowledge.recall(words(8), { filter: { half: "a" } }));
globalThis.gc?.();
const grown = (process.memoryUsage().rss - before) / 1_000_000;
const whole = (milliseconds: number) => milliseconds.toFixed(0);
console.log(`${chunks} chunks, ${whole(statSync(file).size / 1_000_000)} MB of file`);
console.log(`ingest ${(ingested.cpu / 1_000).toFixed(1)} s of CPU`);
console.log(`open ${whole(opened.wall)} ms, first recall ${whole(first.wall)} ms`);
console.log(`recall ${all.cpu} ms of CPU, ${all.wall} ms; ${whole(grown)} MB more`);
console.log(`recall in one half ${restricted.cpu} ms of CPU, ${restricted.wall} ms`);
await knowledge.close();
rmSync(folder, { recursive: true });
