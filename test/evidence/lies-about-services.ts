import type { LieRow } from "./shop-texts.js";

/** Lies by their kind, about texts on accounts, cards, bread and journeys. */
export const liesAboutServices: Readonly<Record<string, readonly LieRow[]>> = {
  "negation cut off or added": [
    [["订单完成后 90 天内可以评价，追评不能修改。"], "追评能改吗？", "追评可以修改。"],
    [["单笔提现最低 10 元，每天最多 3 次，手续费 0.6 %。"], "", "提现没有手续费。"],
    [["香蕉不要放冰箱，室温 13 ℃ 左右最好，可以放 5 天。"], "", "香蕉要放冰箱。"],
    [
      ["开通企业账号需要营业执照和法人身份证，审核 2 个工作日。"],
      "",
      "开通企业账号不需要营业执照。",
    ],
    [["海南、新疆和西藏不参加包邮。"], "", "西藏包邮。"],
    [["发票抬头开具后不能修改，请联系客服作废重开。"], "", "发票抬头可以在订单页修改。"],
    [
      ["Lost cards are blocked at once; a new card costs 5 euros and arrives within a week."],
      "",
      "Lost cards are not blocked.",
    ],
    [
      ["Vouchers can be used in the shop and online, but not for gift cards."],
      "gift cards?",
      "Vouchers can be used for gift cards.",
    ],
    [
      ["Please keep the receipt: without it we can only exchange, not refund."],
      "",
      "Without the receipt we can refund.",
    ],
  ],
  "limit turned round": [
    [["订单完成后 90 天内可以评价，追评不能修改。"], "", "订单完成 90 天后可以评价。"],
    [
      ["Bread is baked every morning and sold at half price after 6 pm."],
      "",
      "Bread is sold at half price before 6 pm.",
    ],
    [
      ["Campaigns need a daily budget of at least 20 dollars."],
      "",
      "Campaigns need a daily budget of at most 20 dollars.",
    ],
    [["Children under 6 travel free."], "", "Children over 6 travel free."],
  ],
  "wrong figure": [
    [["单笔提现最低 10 元，每天最多 3 次，手续费 0.6 %。"], "", "提现手续费 6%。"],
    [["单笔提现最低 10 元，每天最多 3 次，手续费 0.6 %。"], "", "每天最多提现 10 次。"],
    [
      ["You earn 1 point per euro; 500 points are worth 5 euros."],
      "",
      "You earn 5 points per euro.",
    ],
  ],
  "right quote under a wrong claim": [
    [["香蕉不要放冰箱，室温 13 ℃ 左右最好，可以放 5 天。"], "苹果放几天？", "苹果可以放 5 天。"],
    [["退货包裹请在 3 天内寄出，运费险赔付 8 元。"], "", "退货运费由您承担。"],
    [
      ["The outlet store is closed on Sundays and public holidays."],
      "Open on Sunday?",
      "The outlet store is open on Sundays.",
    ],
    [
      ["Bread is baked every morning and sold at half price after 6 pm."],
      "",
      "Cakes are sold at half price after 6 pm.",
    ],
    [
      ["Lost cards are blocked at once; a new card costs 5 euros and arrives within a week."],
      "",
      "A new card is free.",
    ],
    [["Children under 6 travel free."], "", "Adults travel free."],
    [["黑金会员可以免费退货。"], "普通会员可以免费退货吗？", "普通会员可以免费退货。"],
  ],
  "invented step or contact": [
    [
      ["开通企业账号需要营业执照和法人身份证，审核 2 个工作日。"],
      "",
      "开通企业账号需要营业执照和银行流水。",
    ],
    [["直播间红包领取后 24 小时有效，逾期作废。"], "", "直播间红包逾期可以补发。"],
  ],
  "universal from particular": [
    [["海南、新疆和西藏不参加包邮。"], "", "除海南外都包邮。"],
    [["直播间红包领取后 24 小时有效，逾期作废。"], "", "直播间红包永久有效。"],
    [
      ["Vouchers can be used in the shop and online, but not for gift cards."],
      "",
      "Vouchers can be used only online.",
    ],
  ],
  "figure of another row": [
    [["银卡积分 1 倍，金卡积分 1.5 倍，钻石卡积分 2 倍。"], "", "金卡积分 2 倍。"],
    [
      ["银卡积分 1 倍，金卡积分 1.5 倍，钻石卡积分 2 倍。"],
      "",
      "银卡、金卡、钻石卡分别是 2 倍、1.5 倍和 1 倍积分。",
    ],
    [["You earn 1 point per euro; 500 points are worth 5 euros."], "", "1 point is worth 5 euros."],
    [
      ["Ads are reviewed within 24 hours, on weekends within 48 hours."],
      "",
      "Ads are reviewed within 48 hours, on weekends within 24 hours.",
    ],
  ],
  "unit swapped": [
    [["退货包裹请在 3 天内寄出，运费险赔付 8 元。"], "", "运费险赔付 8 美元。"],
    [
      ["Campaigns need a daily budget of at least 20 dollars."],
      "",
      "Campaigns need a monthly budget of at least 20 dollars.",
    ],
    [
      ["Ads are reviewed within 24 hours, on weekends within 48 hours."],
      "",
      "Ads are reviewed within 24 minutes.",
    ],
  ],
  "date shifted": [
    [
      ["The outlet store is closed on Sundays and public holidays."],
      "",
      "The outlet store is closed on Saturdays.",
    ],
  ],
  "condition cut off": [
    [
      ["Bread is baked every morning and sold at half price after 6 pm."],
      "",
      "Bread is sold at half price.",
    ],
    [["Children under 6 travel free."], "", "Children travel free."],
    [["黑金会员可以免费退货。"], "我可以免费退货吗？", "您可以免费退货。"],
  ],
  "without quotes": [[["Children under 6 travel free."], "Do children pay?", "Yes."]],
};
