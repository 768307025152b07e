import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Knowledge,
  type KnowledgeCheck,
  type LabelledQuestion,
  type Measures,
  openKnowledge,
  readQuestions,
  type StageName,
} from "../../src/knowledge/index.js";
import { RecordedEmbeddings } from "../support/recorded-embeddings.js";

const legs = ["keyword", "content", "question"] as const;
const names = ["hit1", "mrr", "ndcg10"] as const;

let knowledge: Knowledge;
let questions: readonly LabelledQuestion[] = [];

beforeAll(async () => {
  knowledge = await openKnowledge({
    embeddings: new RecordedEmbeddings(),
    terms: "examples/shop/terms.yaml",
    timeZone: "Asia/Shanghai",
  });
  await knowledge.ingest(["examples/shop/knowledge"]);
  questions = await readQuestions("examples/shop/questions.csv");
});
afterAll(async () => knowledge.close());

const isChinese = ({ question }: LabelledQuestion) => /\p{Script=Han}/u.test(question);

function measured({ stages }: KnowledgeCheck, stage: StageName): Measures {
  const found = stages.find((one) => one.stage === stage);
  if (found === undefined) throw new Error(`No stage ${stage}`);
  return found.measures;
}

const at = new Date("2026-11-24T04:00:00Z");
const first = async (question: string, filter = {}) =>
  (await knowledge.recall(question, { at, filter, minScore: 0 })).hits[0]?.text ?? "";

describe("the shop's base", () => {
  it("has its rows and pages, questions of both kinds, and no problem but a note", async () => {
    const { unchanged, problems, failed, expired } = await knowledge.ingest([
      "examples/shop/knowledge",
    ]);
    expect(unchanged).toBeGreaterThanOrEqual(60);
    expect(failed).toEqual([]);
    expect(problems).toEqual([
      {
        source: "examples/shop/knowledge/fees.csv",
        problem: expect.stringContaining("row by row"),
      },
    ]);
    expect(expired.map(({ path }) => path)).toEqual([["去年双十一有什么折扣？"]]);
    expect(questions.length).toBeGreaterThanOrEqual(60);
  });

  it.each([
    { language: "Chinese", isOf: isChinese },
    { language: "English", isOf: (one: LabelledQuestion) => !isChinese(one) },
  ])(
    "is found in $language at least as well by all stages as by the best of them",
    async ({ isOf }) => {
      const checked = await knowledge.check(questions.filter(isOf), { save: false });
      for (const name of names) {
        const best = Math.max(...legs.map((leg) => measured(checked, leg)[name]));
        expect(measured(checked, "reranked")[name]).toBeGreaterThanOrEqual(best);
      }
      expect(measured(checked, "reranked").hit5).toBeGreaterThanOrEqual(0.9);
    },
  );

  it("refuses most questions about something else, and few of its own", async () => {
    const { refusal, unanswerable } = await knowledge.check(questions, { save: false });
    expect(unanswerable).toBeGreaterThanOrEqual(15);
    expect(refusal?.refusedRightly).toBeGreaterThanOrEqual(0.5);
    expect(refusal?.refusedWrongly).toBeLessThanOrEqual(0.05);
  });

  it.each([
    { asked: "a former name", question: "猜你想买广告最低预算", answer: "最低日预算 100 元" },
    { asked: "another former name", question: "服饰类小店推佣金多少", answer: "服饰 5 % 到 30 %" },
    { asked: "a short name", question: "自动计划怎么设目标", answer: "您设目标投产比" },
    { asked: "a part of a name", question: "怎么升级到黑金", answer: "10000 元自动升级" },
    { asked: "a similar question", question: "红包用不了", answer: "使用门槛和有效期" },
    { asked: "a row of a table", question: "寄到西藏运费多少", answer: "满 59 元包邮", or: "西藏" },
  ])("answers $asked", async ({ question, answer, or = answer }) => {
    const text = await first(question);
    expect([answer, or].some((one) => text.includes(one))).toBe(true);
  });

  it("tells shoppers and advertisers apart by a filter alone", async () => {
    const question = "退款几天到账";
    expect(await first(question, { audience: "shopper" })).toContain("储蓄卡");
    expect(await first(question, { audience: "advertiser" })).toContain("3 个工作日到账");
  });

  it("never finds what has expired, and finds it on a day on which it was valid", async () => {
    const question = "去年双十一打几折";
    const { hits, stages } = await knowledge.recall(question, { at, topK: 50, minScore: 0 });
    expect(hits.map(({ text }) => text).join()).not.toContain("统一 9 折");
    const then = new Date("2025-11-11T04:00:00Z");
    const found = await knowledge.recall(question, { at: then, minScore: 0 });
    expect(found.hits[0]?.text).toContain("统一 9 折");
    const ids = new Set(stages.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
    expect(ids.has(found.hits[0]?.id ?? "")).toBe(false);
  });
});
