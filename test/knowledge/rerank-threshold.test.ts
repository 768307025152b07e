import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { type Knowledge, type KnowledgeOptions, openKnowledge } from "../../src/knowledge/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const open: Knowledge[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const pages = Array.from({ length: 6 }, (_, at) => ({
  name: `p${at}.md`,
  content: `# Topic ${at}\n\nKettle number ${at} boils water.`,
}));

async function base(options: KnowledgeOptions): Promise<Knowledge> {
  const made = await openKnowledge(options);
  open.push(made);
  await made.ingest(pages);
  return made;
}

const firstBest = JSON.stringify({ scores: [{ passage: 1, score: 10 }] });
const labelled = [
  { question: "Kettle number 3?", source: "p3.md" },
  { question: "Which kettle has a gold handle and a diamond lid?" },
];
const judged = async (_question: string, chunks: readonly { readonly source: string }[]) =>
  chunks.map(({ source }) => (source === "p3.md" ? 0.7 : 0.1));

describe("the score that hits need", () => {
  it("belongs to the way of scoring: features, a function, a model", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plangraph-rerank-"));
    const file = join(folder, "base.db");
    const of = async (options: KnowledgeOptions) => base({ file, ...options });
    const first = await of({ rerank: judged });
    expect((await first.check(labelled)).by).toBe("function judged");
    expect((await first.recall("Kettle number 3?")).minScore).toBe(0.7);
    const byFeatures = await of({});
    expect((await byFeatures.recall("Kettle number 3?")).minScore).toBe(0);
    await byFeatures.check(labelled);
    const known = (await byFeatures.recall("Kettle number 3?")).minScore;
    expect(known).toBeGreaterThan(0);
    using model = scriptedModel([firstBest, new Error("down")]);
    const byModel = await of({ rerank: model });
    expect((await byModel.recall("Kettle number 3?")).minScore).toBe(0);
    // A reranker that fails leaves the scores of the features, and what they need.
    expect((await byModel.recall("Kettle number 3?")).minScore).toBe(known);
    for (const one of open.splice(0)) await one.close();
    rmSync(folder, { recursive: true });
  });

  it("is not found where the reranker failed for some of the questions, which is told", async () => {
    using model = scriptedModel([firstBest, new Error("down")]);
    const knowledge = await base({ rerank: model });
    const checked = await knowledge.check(labelled);
    expect(checked.refusal).toBe(undefined);
    expect(checked.by).toBe(undefined);
    expect(checked.notes).toContainEqual(
      expect.stringMatching(/^recall without reranked: .*down$/),
    );
    expect(checked.stages.find(({ stage }) => stage === "reranked")?.measures.hit1).toBe(1);
  });
});
