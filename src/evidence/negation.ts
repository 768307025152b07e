/** Words with a sign of negation that negate nothing; a question such as 支持不支持 asks. */
const apparent: readonly RegExp[] = [
  /(\p{Script=Han}{1,2})[不没]\1/gu,
  /不仅|不但|不只|不光|不止|不过|不同|不错|不好意思|不客气|不用客气|不用谢|不用担心|不必担心|不论|不管|不少|不断|不妨|不满|不足|不到|不超过|不低于|不少于|不高于|不多于|不大于|不小于|不等|不一|差不多|对不起|了不起|不锈钢|没问题|没关系|没事|没错|无论|无理由|无忧|无线|无糖|非常|非凡|除非|未来|未满|未达|未成年|未必|有没有|是不是|能不能|可不可以/gu,
  /\b(?:not only|no problem|no worries|no later than|no more than|not more than|no less than|not less than|not at all|no matter|whether or not|no longer than|no\. ?\d)\b/gu,
];

const negation =
  /不|(?<!等)待(?=发货|付款|支付|审核|收货|评价|处理)|尚未|(?<![是能可])否|[✗✘❌]|没有|没|无|未|非|勿|禁止|严禁|谢绝|拒绝|(?<![特级性区类识分])别(?![人的墅名处])|\b(?:not|no|never|neither|nor|none|nobody|nothing|without|impossible|forbidden|prohibited|cannot|unable|refuse[sd]?|exclude[sd]?|un(?:supported|available|opened|used|able|damaged|paid|limited|sealed|washed|worn))\b|n['’]t\b|\bnon-/gu;

/** How often a folded clause negates. */
export function negationsIn(plain: string): number {
  return [...withoutApparent(plain).matchAll(negation)].length;
}

/** The clause without its negations, so that 不支持 and 支持 are about the same. */
export function withoutNegations(plain: string): string {
  return withoutApparent(plain)
    .replaceAll(
      /\bun(?=supported|available|opened|used|able|damaged|paid|limited|sealed|washed|worn)/g,
      "",
    )
    .replaceAll(negation, " ");
}

function withoutApparent(plain: string): string {
  return apparent.reduce((text, pattern) => text.replaceAll(pattern, " "), plain);
}
