/** Chinese words of trade that say the same; the first stands for all. */
const chinese: readonly string[] = [
  "包邮 免运费 免邮费 免邮 免费配送 免费送货 免配送费 不收运费 不收取运费 运费全免 运费免费 无需支付运费 无需运费 不用付运费",
  "免费 不收费 不收取费用 无需付费 不要钱 不收取任何费用",
  "运费 邮费 配送费 快递费",
  "退款 退钱 退费 退还 退回 返还",
  "签收 收货 收到货 收到商品",
  "配送 送货 派送",
  "折扣 打折 优惠",
  "付款 支付 缴纳 付费",
  "买 购买 选购 订购",
  "保存 存放 储存 存储",
  "到账 入账 到帐",
  "取消 撤销",
  "升级为 成为",
  "抵扣 抵用 抵",
  "冷藏 放冰箱冷藏 冰箱冷藏 放入冰箱 放冰箱 放进冰箱",
];

/** English phrases, and the one that stands for them. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:free of charge|for free|at no (?:extra |additional )?(?:cost|charge)|(?:no|without) (?:extra |additional )?(?:cost|charge|fee)s?|costs? nothing|nothing(?= from))\b/g,
    "free",
  ],
  [/\bcan['’]t\b/g, "cannot"],
  [/\bwon['’]t\b/g, "will not"],
  [/\bdaily\b/g, "every day"],
  [/\bmonthly\b/g, "every month"],
  [/\bweekly\b/g, "every week"],
  [/\b(?:yearly|annually)\b/g, "every year"],
  ...perUnit(),
  [/\b(?:at once|right away|straight away)\b/g, "immediately"],
  [/\bmoney back\b/g, "refund"],
  [/\bsen[dt] back\b/g, "return"],
  [/\boff\b/g, "discount"],
  [/\bper cent\b/g, "percent"],
];

/** "A month" behind a price, and 每月: one word for each unit, in all languages. */
function perUnit(): readonly (readonly [RegExp, string])[] {
  const units = [
    ["hour", "hour", "小时"],
    ["day", "day", "天|日"],
    ["week", "week", "周|星期"],
    ["month", "month", "个?月"],
    ["year", "year", "年"],
    ["kilo", "kg|kilo|kilogram", "公斤|千克|kg"],
    ["person", "person|customer", "人|位"],
  ] as const;
  return units.map(([unit, spaced, unspaced]) => [
    new RegExp(
      `(?<![a-z])(?:(?:an?|per|each|every) (?:${spaced}))(?![a-z])|(?:每一?|[/／])(?:${unspaced})`,
      "gu",
    ),
    ` per${unit} `,
  ]);
}

const english: readonly string[] = [
  "deliver send sends sent sending dispatch dispatched delivery delivered delivers delivering shipping ship ships shipped",
  "refund reimburse reimbursed reimbursement",
  "buy buys bought purchase purchased purchases",
  "cost costs price prices fee fees charge charged",
  "item items product products article articles goods merchandise",
  "customer customers client clients shopper shoppers",
  "parcel parcels package packages",
  "discount discounts reduction reductions",
  "receive receives received receipt get gets",
  "phone telephone call hotline",
];

const ofChinese = new Map(chinese.flatMap(entriesOf));
const ofEnglish = new Map(english.flatMap(entriesOf));
const chineseWord = alternatives([...ofChinese.keys()]);

function entriesOf(line: string): readonly (readonly [string, string])[] {
  const all = line.split(" ");
  return all.map((word) => [word, all[0] ?? word]);
}

/** One regular expression for words, the longest first. */
export function alternatives(words: readonly string[]): RegExp {
  const sorted = words.toSorted((one, other) => other.length - one.length);
  return new RegExp(sorted.join("|"), "gu");
}

/** A folded text in which one word stands for all that say the same. */
export function inSameWords(plain: string): string {
  const replaced = phrases.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), plain);
  return replaced
    .replaceAll(chineseWord, (word) => ofChinese.get(word) ?? word)
    .replaceAll(/[a-z]+/g, (word) => ofEnglish.get(word) ?? word);
}
