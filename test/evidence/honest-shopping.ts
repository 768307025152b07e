import { type Honest, shop } from "./shop-texts.js";

/** Answers in Chinese to shoppers that say what their quotes say. */
export const honestShopping: readonly Honest[] = [
  [
    "a discount in per cent",
    [shop.cards],
    "黑金会员打几折？",
    "黑金会员可以享受 88% 的价格，也就是 8.8 折优惠。",
  ],
  [
    "a polite discount",
    [shop.cards],
    "我是高级会员，有什么折扣？",
    "您好！高级会员购物可享 9.5 折哦～希望对您有帮助！",
  ],
  [
    "a list of cards",
    [shop.cards],
    "会员卡都打几折？",
    "各会员等级的折扣如下：\n\n- 普通会员：不打折\n- **高级会员**：9.5 折\n- **黑金会员**：8.8 折",
  ],
  [
    "a reordered list",
    [shop.cards],
    "会员折扣",
    "黑金会员 8.8 折，高级会员 9.5 折，普通会员没有折扣。",
  ],
  [
    "a table of cards",
    [shop.cards],
    "会员折扣",
    "| 会员等级 | 折扣 |\n| --- | --- |\n| 普通会员 | 不打折 |\n| 高级会员 | 9.5 折 |\n| 黑金会员 | 8.8 折 |",
  ],
  [
    "a condition and a result",
    [shop.upgrade],
    "怎么成为黑金会员？",
    "一年内累计消费满 1 万元，系统会自动为您升级为黑金会员，第二天生效。",
  ],
  [
    "an upgrade in other words",
    [shop.upgrade],
    "怎样升级黑金？",
    "您只要在一年内消费满 10,000 元，就会自动升级为黑金会员，次日生效。",
  ],
  [
    "shipping, whole",
    [shop.shipping, shop.shippingFresh],
    "运费怎么算？",
    "订单满 59 元包邮，不满 59 元收 6 元运费；生鲜商品满 39 元即可包邮。",
  ],
  ["shipping for what was asked", [shop.shippingFresh], "生鲜包邮吗？", "生鲜满 39 元就可以包邮。"],
  [
    "shipping with the asker's sum",
    [shop.shipping],
    "我买了 80 元的东西，要运费吗？",
    "您的订单有 80 元，已经满 59 元，可以包邮。",
  ],
  [
    "returns with the exception",
    [shop.returns],
    "可以退货吗？",
    "可以的。除生鲜外，商品在签收后 7 天内都支持无理由退货。",
  ],
  [
    "returns with the exception behind",
    [shop.returns],
    "可以退货吗？",
    "商品签收后 7 天内支持无理由退货，但生鲜除外。",
  ],
  [
    "opened snacks",
    [shop.unopened],
    "零食拆开了能退吗？",
    "抱歉，零食拆封后不支持退货，未拆封的可以退货。",
  ],
  [
    "no for opened snacks",
    [shop.unopened],
    "零食拆了还能退吗？",
    "不可以。拆封后的零食不支持退货。",
  ],
  [
    "an exchange",
    [shop.exchange],
    "可以换货吗？",
    "可以，支持换同款的尺码或颜色。请在签收 7 天内到售后页选择“换货”，运费双方各承担一半。",
  ],
  [
    "cash on delivery",
    [shop.cod],
    "可以货到付款吗？",
    "抱歉，目前不支持货到付款。您可以使用余额、银行卡或信用卡支付。",
  ],
  [
    "cash on delivery, impossible",
    [shop.cod],
    "能到付吗？",
    "很抱歉，我们无法货到付款，可以用余额、银行卡和信用卡付款。",
  ],
  [
    "a red packet",
    [shop.redPacket],
    "红包怎么用？",
    "红包只能用来抵扣搜索推广的点击费用，有效期是 30 天，每天最多可以抵扣当天消耗的 50%。",
  ],
  [
    "a red packet in points",
    [shop.redPacket],
    "红包怎么用？",
    "关于红包的使用：\n1. 只能抵扣搜索推广的点击费用；\n2. 有效期 30 天；\n3. 每天最多抵扣当天消耗的一半。",
  ],
  [
    "a refund of the balance",
    [shop.redPacketNoCash],
    "账户余额可以退吗？",
    "可以的，账户余额可以随时申请退回，会原路退回，3 个工作日到账。需要注意的是，红包和赠款不能退。",
  ],
  [
    "no refund of red packets",
    [shop.redPacketNoCash],
    "红包可以退吗？",
    "不能，红包和赠款是不能退的。",
  ],
  [
    "apples in the fridge",
    [shop.apples],
    "苹果能放多久？",
    "苹果放冰箱冷藏可以保存 30 天，常温下可以保存 7 天。",
  ],
];
