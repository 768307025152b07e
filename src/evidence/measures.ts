/** Units by their name here, with all that is written for them. */
const written: Readonly<Record<string, string>> = {
  second: "秒钟 秒 seconds second secs sec",
  minute: "分钟 minutes minute mins min",
  hour: "小时 钟头 hours hour hrs hr h",
  day: "天 日 days day",
  workday:
    "工作日 working-days working-day business-days business-day workdays workday weekdays weekday",
  week: "周 星期 礼拜 weeks week",
  month: "个月 月 months month",
  quarter: "季度 quarters quarter",
  year: "年 years year yrs",
  CNY: "元 块钱 块 人民币 rmb cny yuan ¥ ￥",
  USD: "美元 美金 美刀 us-dollars dollars dollar usd us$ $",
  EUR: "欧元 euros euro eur €",
  GBP: "英镑 pounds-sterling gbp £",
  HKD: "港元 港币 hkd hk$",
  JPY: "日元 日圆 yen jpy",
  kilogram: "公斤 千克 kilograms kilogram kilos kilo kg",
  gram: "克 grams gram g",
  jin: "斤",
  ton: "吨 tons ton tonnes tonne",
  kilometre: "公里 千米 kilometres kilometers kilometre kilometer km",
  metre: "米 metres meters metre meter m",
  centimetre: "厘米 公分 centimetres centimeters cm",
  millimetre: "毫米 mm",
  litre: "升 litres liters litre liter l",
  millilitre: "毫升 ml",
  degree: "摄氏度 ℃ °c 度 degrees-celsius degrees degree",
  times: "次 times",
  piece: "件 items item pieces piece articles article",
  sheet: "张",
  order: "单 笔 orders order",
  person: "人 位 名 people persons person customers customer users user",
  point: "积分 points point",
  fold: "倍",
  row: "行 rows row",
  word: "词 words word keywords keyword",
  plan: "计划 campaigns campaign plans plan",
  year_old: "岁 years-old years-of-age",
  MB: "mb 兆",
  GB: "gb",
};

const byWriting = new Map(
  Object.entries(written).flatMap(([unit, words]) =>
    words.split(" ").map((word): [string, string] => [word.replaceAll("-", " "), unit]),
  ),
);

const longestFirst = [...byWriting.keys()].toSorted((one, other) => other.length - one.length);
const alternatives = longestFirst
  .map((word) => word.replaceAll(/[$°]/g, String.raw`\$&`))
  .join("|");

const behind = new RegExp(
  `^(?:\\s?(?:个|余|多|来)?\\s?|-)(?<unit>${alternatives})(?![a-z]|(?<=[¥￥$€£])\\s?\\d)`,
  "i",
);
const before = new RegExp(`(?<unit>us\\$|hk\\$|rmb|cny|usd|eur|gbp|hkd|[¥￥$€£])\\s?[-−]?$`, "i");
const header = new RegExp(
  `[(（](?:单位[:：]?)?(?<unit>${alternatives}|%)(?![a-z])[^()（）]{0,8}[)）]\\s?[:：]?\\s?$`,
  "i",
);

const times = new Set(["second", "minute", "hour", "day", "workday", "week", "month", "nth day"]);
const money = new Set(["CNY", "USD", "EUR", "GBP", "HKD", "JPY"]);

/** Whether two units measure the same kind of thing; without a unit a figure may be of any kind. */
export function isOfKind(unit: string | undefined, other: string | undefined): boolean {
  if (unit === undefined || other === undefined || unit === other) return true;
  return (times.has(unit) && times.has(other)) || (money.has(unit) && money.has(other));
}

/** A unit in a text, and how many characters it takes. */
export type Measure = { readonly unit: string; readonly length: number };

/** The unit that follows a number. */
export function measureBehind(text: string): Measure | undefined {
  const found = behind.exec(text);
  const unit = byWriting.get(found?.groups?.["unit"]?.toLowerCase() ?? "");
  return found === null || unit === undefined ? undefined : { unit, length: found[0].length };
}

/** The currency that stands before a number. */
export function measureBefore(text: string): Measure | undefined {
  const found = before.exec(text);
  const unit = byWriting.get(found?.groups?.["unit"]?.toLowerCase() ?? "");
  return found === null || unit === undefined ? undefined : { unit, length: found[0].length };
}

/** The unit that the title of a column has in parentheses, as in "Fee (€): 8". */
export function measureOfTitle(text: string): string | undefined {
  const unit = header.exec(text)?.groups?.["unit"]?.toLowerCase() ?? "";
  return unit === "%" ? "ratio" : byWriting.get(unit);
}
