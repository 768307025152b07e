import type { Honest } from "./shop-texts.js";

/** Answers about one short text each that say what it says. */
export const honestShort: readonly Honest[] = [
  [
    "short: 多久可以评价？",
    ["订单完成后 90 天内可以评价，追评不能修改。"],
    "多久可以评价？",
    "订单完成后的 90 天内都可以评价哦，不过追评提交后不能修改。",
  ],
  [
    "short: 怎么提现？",
    ["单笔提现最低 10 元，每天最多 3 次，手续费 0.6 %。"],
    "怎么提现？",
    "提现规则：\n- 单笔最低 10 元\n- 每天最多 3 次\n- 手续费 0.6%",
  ],
  [
    "short: 香蕉怎么保存？",
    ["香蕉不要放冰箱，室温 13 ℃ 左右最好，可以放 5 天。"],
    "香蕉怎么保存？",
    "香蕉不建议放冰箱，放在 13℃ 左右的室温下最好，大约可以放 5 天。",
  ],
  [
    "short: 开通企业账号要什么？",
    ["开通企业账号需要营业执照和法人身份证，审核 2 个工作日。"],
    "开通企业账号要什么？",
    "需要准备营业执照和法人身份证，审核需要两个工作日。",
  ],
  [
    "short: 新疆包邮吗？",
    ["海南、新疆和西藏不参加包邮。"],
    "新疆包邮吗？",
    "很抱歉，新疆不参加包邮活动。",
  ],
  [
    "short: 直播红包多久过期？",
    ["直播间红包领取后 24 小时有效，逾期作废。"],
    "直播红包多久过期？",
    "直播间红包领取后 24 小时内有效，过期就作废了。",
  ],
  [
    "short: 发票抬头错了怎么办？",
    ["发票抬头开具后不能修改，请联系客服作废重开。"],
    "发票抬头错了怎么办？",
    "发票抬头开具后无法修改，您需要联系客服作废后重新开具。",
  ],
  [
    "short: 金卡积分几倍？",
    ["银卡积分 1 倍，金卡积分 1.5 倍，钻石卡积分 2 倍。"],
    "金卡积分几倍？",
    "金卡会员的积分是 1.5 倍。",
  ],
  [
    "short: 各卡积分？",
    ["银卡积分 1 倍，金卡积分 1.5 倍，钻石卡积分 2 倍。"],
    "各卡积分？",
    "银卡、金卡、钻石卡分别是 1 倍、1.5 倍和 2 倍积分。",
  ],
  [
    "short: 退货运费？",
    ["退货包裹请在 3 天内寄出，运费险赔付 8 元。"],
    "退货运费？",
    "请您在 3 天内寄出退货包裹，运费险会赔付 8 元。",
  ],
  [
    "short: Are you open on Sunday?",
    ["The outlet store is closed on Sundays and public holidays."],
    "Are you open on Sunday?",
    "No, the outlet store is closed on Sundays and on public holidays.",
  ],
  [
    "short: When is bread cheaper?",
    ["Bread is baked every morning and sold at half price after 6 pm."],
    "When is bread cheaper?",
    "Bread is sold at half price after 6 pm.",
  ],
  [
    "short: I lost my card.",
    ["Lost cards are blocked at once; a new card costs 5 euros and arrives within a week."],
    "I lost my card.",
    "I'm sorry to hear that. Lost cards are blocked immediately. A new card costs €5 and arrives within 7 days.",
  ],
  [
    "short: Where can I use vouchers?",
    ["Vouchers can be used in the shop and online, but not for gift cards."],
    "Where can I use vouchers?",
    "You can use vouchers in the shop and online, but not for gift cards.",
  ],
  [
    "short: How do points work?",
    ["You earn 1 point per euro; 500 points are worth 5 euros."],
    "How do points work?",
    "You earn one point for every euro you spend, and 500 points are worth €5.",
  ],
  [
    "short: No receipt?",
    ["Please keep the receipt: without it we can only exchange, not refund."],
    "No receipt?",
    "Without the receipt we can only exchange the item, not refund it.",
  ],
  [
    "short: Minimum budget?",
    ["Campaigns need a daily budget of at least 20 dollars."],
    "Minimum budget?",
    "Your campaign needs a minimum daily budget of $20.",
  ],
  [
    "short: How long is review?",
    ["Ads are reviewed within 24 hours, on weekends within 48 hours."],
    "How long is review?",
    "Ads are reviewed within 24 hours, or within 48 hours on weekends.",
  ],
  [
    "short: When do I get the invoice?",
    ["Invoices are sent by e-mail on the first day of each month."],
    "When do I get the invoice?",
    "Invoices are e-mailed on the first day of every month.",
  ],
  [
    "short: Kids?",
    ["Children under 6 travel free."],
    "Kids?",
    "Children under six travel free of charge.",
  ],
];
