// One chat for the shoppers and the advertisers of a shop: a router sends each question to the assistant that it is for.
// Each searches its own part of one knowledge base, and says so where nothing there answers.
// Run it: npx tsx examples/two-assistants.ts
import { createAssistantGraph, createRouterGraph } from "plangraph";
import { createSearchKnowledgeTool, openKnowledge } from "plangraph/knowledge";
import { scriptedModel } from "plangraph/testing";

const base = await openKnowledge({ terms: "examples/shop/terms.yaml" });
await base.ingest(["examples/shop/knowledge"]);

const quoting = (quote: string, answer: string) => JSON.stringify({ quotes: [quote], answer });
const nothing = JSON.stringify({ quotes: [], answer: "" });

/** An assistant that finds only what is written for its audience. The models are scripted; put your own here. */
function assistantFor(audience: string, replies: string[]) {
  const models = scriptedModel(replies);
  const knowledge = createSearchKnowledgeTool(base, { access: () => ({ audience }) });
  return createAssistantGraph({ models, knowledge });
}

const graph = createRouterGraph({
  models: scriptedModel([
    JSON.stringify({ reason: "The voucher of a shopper.", route: "shopper" }),
    JSON.stringify({ reason: "It asks for a price of shipping.", route: "shopper" }),
  ]),
  routes: {
    advertiser: {
      description: "advertising on the platform: campaigns, bids, billing",
      // What certainly belongs to it needs no model.
      when: /推广|广告|投放|出价|佣金/,
      graph: assistantFor("advertiser", [
        quoting(
          "红包只能抵扣搜索推广的点击费用，有效期 30 天",
          "推广红包只能抵扣搜索推广的点击费用。",
        ),
      ]),
    },
    shopper: {
      description: "orders, shipping, returns, vouchers and membership of shoppers",
      graph: assistantFor("shopper", [
        quoting(
          "红包有使用门槛和有效期，并且不能和会员折扣同时使用",
          "红包有使用门槛和有效期，并且不能和会员折扣同时使用。",
        ),
        nothing,
      ]),
    },
  },
});

for (const content of ["红包用不了", "推广红包能抵扣什么费用？", "寄宠物的运费是多少？"]) {
  const { route, answer, outcome } = await graph.invoke({ messages: [{ role: "user", content }] });
  console.log(`${content} (${route}${outcome?.cause === undefined ? "" : `, ${outcome.cause}`})`);
  console.log(answer?.replaceAll(/^(?=.)/gm, "  "));
}

/* prints:
红包用不了 (shopper)
  红包有使用门槛和有效期，并且不能和会员折扣同时使用。

  来源：
  - “红包有使用门槛和有效期，并且不能和会员折扣同时使用，请在“我的红包”里查看说明。” (examples/shop/knowledge/faq.csv:7)
推广红包能抵扣什么费用？ (advertiser)
  推广红包只能抵扣搜索推广的点击费用。

  来源：
  - “红包只能抵扣搜索推广的点击费用，有效期 30 天，每天最多抵扣当天消耗的 50 %。” (examples/shop/knowledge/ads.md:57)
寄宠物的运费是多少？ (shopper, no_knowledge)
  抱歉，我在资料里没有找到这个问题的答案。
*/
