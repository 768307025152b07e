// The script of the day: what the customers say, what a person of the shop decides, and what the models reply offline.
import { type ModelReply, type ScriptedModel, scriptedModel } from "plangraph/testing";

/** Something that a customer says. */
export type Turn = {
  readonly customer: "lin" | "berg";
  readonly says: string;
  /** Whether the shop first shows the card of the latest order, and the customer clicks on it. */
  readonly clicksOnCard?: true;
  /** What a person of the shop decides on a refund. */
  readonly decision?: "approve" | "reject";
  /** Whether to show what is remembered of the customer afterwards. */
  readonly showsFacts?: true;
  /** What the models reply, by role. */
  readonly replies: {
    /** The way that the router's model chooses; without it a rule does. */
    readonly router?: "knowledge";
    /** The question, completed. */
    readonly rewriter?: string;
    /** What to keep or to forget. */
    readonly rememberer?: readonly object[];
    readonly solver?: readonly ModelReply[];
    readonly executor?: readonly ModelReply[];
  };
};

function quoting(quotes: readonly string[], answer: string): string {
  return JSON.stringify({ quotes, answer });
}

function refund(reason: string): ModelReply {
  return { toolCalls: [{ name: "refund_order", args: { reason } }] };
}

function routesOf({ replies: { router: way } }: Turn): string[] {
  return way === undefined ? [] : [JSON.stringify({ reason: "By what it asks.", route: way })];
}

const discounts = "普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。";
const voucher = "红包有使用门槛和有效期，并且不能和会员折扣同时使用，请在“我的红包”里查看说明。";
const apples = "苹果放在冰箱冷藏，可以保存 20 天左右；不要和香蕉放在一起，会熟得快。";
const express = "Express shipping costs 14 euros for every order.";

/** The day. */
export const day: readonly Turn[] = [
  {
    customer: "lin",
    says: "我的会员卡可以打几折？",
    replies: {
      router: "knowledge",
      solver: [quoting([discounts], "您是黑金会员，可以打 8.8 折。")],
    },
  },
  {
    customer: "berg",
    says: "我的会员卡可以打几折？",
    replies: {
      router: "knowledge",
      solver: [quoting([discounts], "您是高级会员，可以打 9.5 折。")],
    },
  },
  {
    customer: "lin",
    says: "红包用不了",
    replies: {
      router: "knowledge",
      solver: [quoting([voucher], "红包不能和会员折扣同时使用，也有使用门槛和有效期。")],
    },
  },
  {
    customer: "lin",
    says: "我买的苹果要放冰箱吗？",
    replies: {
      router: "knowledge",
      solver: [quoting([apples], "苹果放在冰箱冷藏，不要和香蕉放在一起。")],
    },
  },
  {
    customer: "lin",
    says: "能放多久呢？",
    replies: {
      router: "knowledge",
      rewriter: "苹果放在冰箱里能放多久呢？",
      solver: [quoting([apples], "苹果冷藏可以保存 20 天左右。")],
    },
  },
  {
    customer: "lin",
    says: "你们收购旧手机吗？",
    replies: { router: "knowledge", solver: [quoting([], "")], executor: ["我们收购旧手机。"] },
  },
  {
    customer: "lin",
    says: "收到的时候压坏了，请退款。",
    clicksOnCard: true,
    decision: "approve",
    replies: {
      executor: [refund("收到的时候压坏了"), "已为您办理草莓蛋糕的退款，共 88 元。"],
    },
  },
  {
    customer: "berg",
    says: "How much is express shipping?",
    replies: { router: "knowledge", solver: [quoting([express], express)] },
  },
  {
    customer: "berg",
    says: "I am allergic to nuts.",
    showsFacts: true,
    replies: {
      router: "knowledge",
      rememberer: [{ op: "keep", key: "allergy", quote: "I am allergic to nuts" }],
      executor: ["I have noted it."],
    },
  },
  {
    customer: "berg",
    says: "Please refund my kettle, it is too loud.",
    decision: "reject",
    replies: {
      executor: [refund("it is too loud"), "I am sorry, your refund was not approved."],
    },
  },
  {
    customer: "berg",
    says: "Then please refund the toaster, it burns everything.",
    decision: "approve",
    replies: {
      executor: [
        refund("it burns everything"),
        "I am sorry, the toaster was delivered more than 7 days ago.",
      ],
    },
  },
  {
    customer: "berg",
    says: "Forget that I am allergic to nuts.",
    showsFacts: true,
    replies: {
      router: "knowledge",
      rememberer: [{ op: "forget", key: "allergy", quote: "Forget that" }],
      executor: ["It is forgotten."],
    },
  },
];

/** The models of the day, one for each role, so that every reply is the one of its turn. */
export type ScriptedDay = {
  readonly router: ScriptedModel;
  readonly rewriter: ScriptedModel;
  readonly solver: ScriptedModel;
  readonly executor: ScriptedModel;
};

/** Makes the models that reply as the script says. */
export function scriptedDay(turns: readonly Turn[]): ScriptedDay {
  return {
    router: scriptedModel(turns.flatMap(routesOf)),
    // Completing a question and remembering run side by side: the request tells which one it is.
    rewriter: scriptedModel((messages) => {
      const asked = messages.map(({ text }) => text).join("\n");
      const turn = turns.findLast(({ says }) => asked.includes(JSON.stringify(says)));
      const { rewriter = turn?.says, rememberer = [] } = turn?.replies ?? {};
      return JSON.stringify(
        asked.includes('"facts"') ? { facts: rememberer } : { question: rewriter },
      );
    }),
    solver: scriptedModel(turns.flatMap(({ replies }) => replies.solver ?? [])),
    executor: scriptedModel(turns.flatMap(({ replies }) => replies.executor ?? [])),
  };
}
