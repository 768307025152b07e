/** Sentences and rows of a shop's knowledge, as they are quoted. */
export const shop = {
  cards: "普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。",
  cardValid: "会员卡有效期为 1 年，到期前 30 天可以续费，续费 99 元。",
  upgrade: "一年内消费满 10000 元自动升级为黑金会员，次日生效。",
  shipping: "满 59 元包邮，不满收 6 元；",
  shippingFresh: "生鲜满 39 元包邮。",
  returns: "除生鲜外，商品签收后 7 天内支持无理由退货。",
  unopened: "未拆封的零食可以退货，拆封后不支持退货。",
  exchange: "支持同款换尺码或颜色，签收 7 天内在售后页选“换货”，运费一人一半。",
  cod: "不支持货到付款，可以用余额、银行卡和信用卡付款。",
  redPacket: "红包只能抵扣搜索推广的点击费用，有效期 30 天，每天最多抵扣当天消耗的 50 %。",
  redPacketNoCash: "账户余额可以随时申请退回，原路退回，3 个工作日到账。红包和赠款不能退。",
  apples: "苹果冷藏可以保存 30 天，常温下 7 天。",
  cakes: "蛋糕请在 0 到 4 ℃ 冷藏，保质期 3 天，拆封后 24 小时内吃完。",
  service: "人工客服电话 400-000-1234，每天 8:00 到 22:00。",
  deposit: "食品类 5000 元，服饰类 3000 元，家电类 10000 元，关店 30 天后退还。",
  commission: "佣金比例由您设置：服饰 5 % 到 30 %，食品 2 % 到 20 %，家电 1 % 到 10 %。",
  beijing: "地区: 北京\n首重费用（元）: 8\n续重费用（元/公斤）: 2\n时效（天）: 2",
  shanghai: "地区: 江浙沪\n首重费用（元）: 6\n续重费用（元/公斤）: 1\n时效（天）: 1",
  tibet: "地区: 西藏\n首重费用（元）: 22\n续重费用（元/公斤）: 14\n时效（天）: 6",
  material: "素材提交后 4 小时内审核，节假日 24 小时内。",
  event: "双十二活动从 2026年12月10日 开始，12月12日 24:00 结束。",
  invoice: "订单完成后在订单详情页点“申请发票”，电子发票 1 小时内发到邮箱。",
  password: "在登录页点“忘记密码”，用手机验证码重设。",
  pickUp: "下单时选“自提”，系统会列出 3 公里内的自提点；包裹保留 3 天。",
  weekly: "每周五生鲜满 100 减 20，每人每周一次。",
  learning: "自动出价计划开始的 3 天是学习期，投产比会波动，请不要改动目标。",
  account: "在“设置 > 账号安全”里申请注销，15 天后生效，期间登录会取消申请。",
  shippingEn:
    "Standard shipping costs 6 euros, and nothing from 49 euros on. Express shipping costs 14 euros for every order.",
  deliveryEn:
    "Standard delivery takes 2 to 4 working days, express delivery 1 working day if you order before 2 pm.",
  countriesEn: "We deliver to Germany, Austria, Switzerland and the Netherlands.",
  returnsEn: "Only unopened items can be returned within 30 days of delivery.",
  freshEn: "Fresh food cannot be returned, except if it arrived damaged.",
  refundEn: "Refunds are paid to the original payment method within 5 working days.",
  cardsEn: "Silver members get 5 % off, gold members 12 % off.",
  applesEn: "Apples keep for 30 days in the fridge and 7 days at room temperature.",
  trackingEn: 'The tracking link is in the shipping e-mail, and under "My orders".',
  supportEn: "Our support is open from 9 am to 6 pm, Monday to Friday.",
  couponEn: "Coupons may not be combined with other offers and expire on 24 November 2026.",
} as const;

/** An answer that says what its quotes say, in other words. */
export type Honest = readonly [
  name: string,
  quotes: readonly string[],
  asked: string,
  answer: string,
];

/** An answer that says what its quotes do not; `truth` is what of it may stay, nothing unless said. */
export type LieRow = readonly [
  quotes: readonly string[],
  asked: string,
  answer: string,
  truth?: string,
];
