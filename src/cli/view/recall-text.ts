import type { Hit, KnowledgeCheck, Recall, RecallStage } from "../../knowledge/index.js";
import { count, duration, oneLine } from "./event-lines.js";

/** A recall as text: what each stage found, then the hits with the rank that each stage gave them. */
export function recallText({ hits, stages, notes, minScore }: Recall): string {
  return [
    ...stages.map(stageLine),
    ...notes.map((note) => `note: ${note}`),
    ...(minScore > 0 ? [`hits need a score of ${minScore.toFixed(3)}`] : []),
    "",
    ...(hits.length === 0
      ? ["Nothing fits."]
      : hits.flatMap((hit, at) => hitLines(hit, at, stages))),
    "",
  ].join("\n");
}

const stageWords: { readonly [Stage in RecallStage["stage"]]: string } = {
  keyword: "by words",
  content: "by content",
  question: "by question",
  fused: "joined",
  reranked: "in order",
};

function stageLine({ stage, candidates, ms, error, by = "features" }: RecallStage): string {
  const from = by === "features" ? "" : ` by ${by}`;
  const found =
    error === undefined ? `${count(candidates.length, "candidate")}${from}` : `failed: ${error}`;
  return `${stageWords[stage].padEnd(12)} ${duration(ms).padStart(8)}  ${oneLine(found, 200)}`;
}

function hitLines(hit: Hit, at: number, stages: readonly RecallStage[]): readonly string[] {
  const { source, line, path, text, score, features, until } = hit;
  const ranks = stages.flatMap(({ stage, candidates }) => {
    const rank = candidates.findIndex(({ id }) => id === hit.id);
    return rank < 0 || stage === "fused" || stage === "reranked"
      ? []
      : [`${stageWords[stage]} #${rank + 1}`];
  });
  const cosine = features.cosine === undefined ? [] : [`cosine ${features.cosine.toFixed(3)}`];
  const facts = [`words ${features.words.toFixed(3)}`, ...cosine, ...ranks];
  const valid = until === undefined ? "" : ` (until ${until})`;
  return [
    `${at + 1}. ${score.toFixed(3)}  ${oneLine(path.join(" > "), 80)}${valid}  ${source}:${line}`,
    `   ${facts.join(", ")}`,
    `   ${oneLine(text, 200)}`,
  ];
}

/** What was measured on a base, as a table. */
export function checkText(checked: KnowledgeCheck): string {
  const { answerable, unanswerable, stages, refusal, missed, problems, notes } = checked;
  const head = ["stage", "hit@1", "hit@3", "hit@5", "hit@10", "MRR", "nDCG@10"];
  const rows = stages.map(({ stage, measures: of }) => [
    stageWords[stage],
    ...[of.hit1, of.hit3, of.hit5, of.hit10, of.mrr, of.ndcg10].map((one) => one.toFixed(3)),
  ]);
  return [
    `${count(answerable, "question")} with an answer, ${unanswerable} without`,
    "",
    ...[head, ...rows].map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(8))).join(""),
    ),
    "",
    ...problems.map((problem) => `problem: ${oneLine(problem, 300)}`),
    ...notes.map((note) => `note: ${oneLine(note, 200)}`),
    refusal === undefined
      ? "No score was found: it takes questions with and without an answer, and scores that can be compared."
      : `Hits need a score of ${refusal.threshold.toFixed(3)}: ${percent(refusal.refusedRightly)} of the questions without an answer are refused, and ${percent(refusal.refusedWrongly)} of those with one.`,
    ...missed.map(({ question, rank }) => `missed: ${oneLine(question, 160)} (${place(rank)})`),
    "",
  ].join("\n");
}

function place(rank: number | undefined): string {
  return rank === undefined ? "not found" : `rank ${rank}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
