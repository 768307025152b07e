import { describe, expect, it } from "vitest";

import { assistant, quoting } from "../support/assistants.js";

function rewritten(question: string): readonly string[] {
  return [JSON.stringify({ question })];
}

describe("a follow-up question", () => {
  const before = [
    { role: "user", content: "我买了苹果" },
    { role: "assistant", content: "好的，您想了解什么？" },
  ];
  const apple = "苹果放在冰箱冷藏，可以保存 20 天左右。";
  const script = [quoting([apple], "苹果冷藏可以保存 20 天左右。")];
  it("gets what it leaves out; both forms are searched", async () => {
    const { graph, calls } = await assistant({ script, rewriter: rewritten("苹果的保质期多久？") });
    const messages = [...before, { role: "user", content: "保质期多久呢" }];
    const result = await graph.invoke({ messages });
    expect(result.query).toEqual({ asked: "保质期多久呢", rewritten: "苹果的保质期多久？" });
    expect(result.answer).toContain("20 天");
    expect(result.usage.toolCalls).toBe(2);
    expect(calls()).toMatchObject({ rewriter: 1, solver: 1 });
  });

  it.each([
    { name: "loses a number", question: "8.8 折的是谁？", reply: "打折的是哪个会员？" },
    { name: "invents a number", question: "它打几折？", reply: "高级会员的 7 折怎么用？" },
    { name: "loses a name", question: "X卡呢？", reply: "会员卡的折扣是多少？" },
    { name: "is no question", question: "那个呢？", reply: "" },
  ])("stays as it is where the rewrite $name", async ({ question, reply }) => {
    const { graph } = await assistant({
      script: [quoting([], "")],
      rewriter: rewritten(reply),
      names: ["X卡"],
    });
    const { query } = await graph.invoke({
      messages: [...before, { role: "user", content: question }],
    });
    expect(query).toEqual({ asked: question });
  });

  it("that says all itself is not rewritten", async () => {
    const question = "请问黑金会员和高级会员在商城里分别可以打多少折扣？";
    const { graph, calls } = await assistant({ script: [quoting([], "")] });
    await graph.invoke({ messages: [...before, { role: "user", content: question }] });
    expect(calls()).toMatchObject({ rewriter: 0 });
  });
});
