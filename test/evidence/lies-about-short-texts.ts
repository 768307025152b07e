import { type LieRow, shop } from "./shop-texts.js";

/** Lies by their kind, each about one short text. */
export const liesAboutShortTexts: Readonly<Record<string, readonly LieRow[]>> = {
  "limit added": [
    [
      ["Returns are free."],
      "Is delivery free above some amount?",
      "Returns are free above some amount.",
    ],
    [["退货免运费。"], "超过多少免运费？", "超过一定金额退货免运费。"],
    [
      ["Gift cards can be sent by e-mail."],
      "Can I send a gift card by e-mail?",
      "Gift cards above a certain value can be sent by e-mail.",
    ],
    [["订单可以开发票。"], "多少钱以上可以开发票？", "一定金额以上的订单可以开发票。"],
  ],
  "invented step or contact": [
    [["签收 7 天内降价可以申请价格保护，差价退到余额。"], "", "差价退到银行卡。"],
  ],
  "wrong figure": [
    [
      ["签收 7 天内降价可以申请价格保护，差价退到余额。"],
      "可以补差价吗",
      "签收 15 天内降价可以申请价格保护。",
    ],
    [
      ["Parcels to Switzerland are sent once a week, and customs duties are paid by the customer."],
      "",
      "Parcels to Switzerland are sent twice a week.",
    ],
  ],
  "universal from particular": [
    [
      ["一次买满 5000 元可以联系企业客服，电话 400-000-5678，有 3 % 到 8 % 的折扣。"],
      "团购",
      "团购都有 8% 的折扣。",
    ],
    [
      ["随时可以暂停，1 分钟内生效；暂停超过 30 天的自动出价计划要重新学习。"],
      "",
      "所有计划暂停后都要重新学习。",
    ],
    [
      ["You can cancel an order until it is packed, usually within two hours."],
      "",
      "You can cancel an order at any time.",
    ],
  ],
  "stitched quotes": [
    [
      ["待发货可以直接取消；已经发货请拒收，运费由商城承担一次。"],
      "已发货能取消吗",
      "已经发货可以直接取消。",
    ],
  ],
  "right quote under a wrong claim": [
    [["待发货可以直接取消；已经发货请拒收，运费由商城承担一次。"], "", "运费由买家承担。"],
    [["买家签收 15 天后结算，退货的订单不结算。"], "", "买家付款 15 天后结算。"],
    [["糕点保质期 5 天，请放在阴凉干燥处。"], "苹果保质期", "苹果保质期 5 天。"],
    [
      ["Parcels to Switzerland are sent once a week, and customs duties are paid by the customer."],
      "",
      "Customs duties are paid by us.",
    ],
    [
      ["We do not accept cash. Cards, PayPal and invoice are possible."],
      "Can I pay by cheque?",
      "You can pay by cheque.",
    ],
    [["只有黑金会员可以免费退货。"], "高级会员能免费退货吗", "高级会员可以免费退货。"],
  ],
  "figure of another row": [
    [["最多 500 个计划，每个计划最多 100 个单元。"], "", "最多 100 个计划。"],
    [
      ["每月 5 日以后可以开上个月的推广发票，电子发票当天发出，纸质发票 5 个工作日寄出。"],
      "",
      "电子发票 5 个工作日寄出。",
    ],
    [
      ["最低充值 500 元，支持对公转账和在线支付。对公转账 1 个工作日到账。"],
      "",
      "在线支付 1 个工作日到账。",
    ],
    [
      ["| Region | Fee (€) | Days |\n| --- | --- | --- |\n| Berlin | 4 | 1 |\n| Bavaria | 6 | 2 |"],
      "",
      "The fee to Bavaria is €4.",
    ],
    [
      ["| Region | Fee (€) | Days |\n| --- | --- | --- |\n| Berlin | 4 | 1 |\n| Bavaria | 6 | 2 |"],
      "",
      "The fee to Berlin is €1.",
    ],
  ],
  "negation cut off or added": [
    [["买家签收 15 天后结算，退货的订单不结算。"], "", "退货的订单也会结算。"],
    [
      ["计划自动停止，第二天 0 点恢复；超出的部分最多 10 %，会自动退回。"],
      "",
      "超出的部分不会退回。",
    ],
    [
      ["不能使用“最”“第一”等极限用语，不能宣传疗效，不能使用没有授权的肖像和商标。"],
      "",
      "可以宣传疗效。",
    ],
    [
      ["不能使用“最”“第一”等极限用语，不能宣传疗效，不能使用没有授权的肖像和商标。"],
      "",
      "可以使用没有授权的肖像。",
    ],
    [
      ["Gift cards are valid for three years and cannot be exchanged for cash."],
      "",
      "Gift cards can be exchanged for cash.",
    ],
    [
      ["Membership costs 4.99 euros a month and can be ended at any time."],
      "",
      "Membership cannot be ended.",
    ],
    [
      ["We do not accept cash. Cards, PayPal and invoice are possible."],
      "Can I pay cash?",
      "Yes, we accept cash.",
    ],
    [
      ["Cakes contain nuts and keep for 3 days in the fridge."],
      "Are cakes free of nuts?",
      "Cakes contain no nuts.",
    ],
    [["高级会员可以退货，普通会员不可以退货。"], "普通会员能退货吗", "普通会员可以退货。"],
    [["退货需要保留原包装。"], "", "退货不需要保留原包装。"],
    [["普通会员需付运费。"], "", "普通会员免运费。"],
  ],
  "date shifted": [
    [
      ["计划自动停止，第二天 0 点恢复；超出的部分最多 10 %，会自动退回。"],
      "",
      "计划自动停止，第三天 0 点恢复。",
    ],
    [
      ["每月 5 日以后可以开上个月的推广发票，电子发票当天发出，纸质发票 5 个工作日寄出。"],
      "",
      "每月 15 日以后可以开上个月的推广发票。",
    ],
  ],
  "unit swapped": [
    [
      ["随时可以暂停，1 分钟内生效；暂停超过 30 天的自动出价计划要重新学习。"],
      "",
      "暂停 1 小时内生效。",
    ],
    [
      ["Gift cards are valid for three years and cannot be exchanged for cash."],
      "",
      "Gift cards are valid for three months.",
    ],
    [
      ["Membership costs 4.99 euros a month and can be ended at any time."],
      "",
      "Membership costs 4.99 euros a year.",
    ],
  ],
  "limit turned round": [
    [
      ["最低充值 500 元，支持对公转账和在线支付。对公转账 1 个工作日到账。"],
      "",
      "最高充值 500 元。",
    ],
    [["商品签收后 7 天内可以退货。"], "", "商品签收 7 天后可以退货。"],
    [
      ["You can cancel an order until it is packed, usually within two hours."],
      "",
      "You can cancel an order after it is packed.",
    ],
    [[shop.shipping], "", "不满 59 元包邮。"],
  ],
  "invented name, product or place": [
    [
      ["Parcels to Switzerland are sent once a week, and customs duties are paid by the customer."],
      "",
      "Parcels to Austria are sent once a week.",
    ],
    [
      ["Cakes contain nuts and keep for 3 days in the fridge."],
      "",
      "Bread keeps for 3 days in the fridge.",
    ],
  ],
  "condition cut off": [
    [["Cakes contain nuts and keep for 3 days in the fridge."], "", "Cakes keep for 3 days."],
    [["只有黑金会员可以免费退货。"], "", "会员可以免费退货。"],
  ],
};
