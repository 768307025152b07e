const chinese: readonly RegExp[] = [
  /^(?:您好|你好|亲|好的|没问题|不客气|抱歉|很抱歉|非常抱歉|不好意思|对不起|谢谢|感谢|当然|明白了?)[^\p{L}\p{N}]*(?:您的?(?:咨询|提问|来信|理解|支持|耐心))?$/u,
  /^(?:感谢|谢谢)您?的?(?:咨询|提问|来信|理解|支持|耐心等待|关注|反馈)$/u,
  /^(?:希望|愿)(?:以上|这些|这个|上述|我的)?(?:信息|回答|内容|解答|说明|答案)?(?:能够?|可以)?(?:对您?有所?帮助|帮到您|解答您的(?:疑问|问题))$/u,
  /^(?:如果?您?(?:还有|有|仍有)?(?:任何|其他|其它|别的|更多|任何其他)?(?:疑问|问题|需要|需求|不明白的地方)?的?话?)[,，\s]*(?:请|欢迎|可以|都可以|您可以)?(?:随时)?(?:联系|咨询|告诉|告知|问|找)(?:我们?|客服|人工客服|在线客服)?(?:的?客服)?$/u,
  /^(?:祝您?|预祝)[\p{Script=Han}]{0,10}$/u,
  /^欢迎(?:您)?(?:随时|再次)?(?:咨询|联系我们?|光临|提问)$/u,
  /^很?高兴(?:能)?(?:为您?(?:服务|解答)|帮(?:到|助)您)$/u,
];
const english: readonly RegExp[] = [
  /^(?:hello|hi|hey|dear (?:customer|user)|good (?:morning|afternoon|evening)|sure|of course|certainly|great question|good question|thanks?|thank you|sorry|i(?: a|')m sorry|you(?:'re| are) welcome|no problem|no worries)(?: there| again| so much| very much| for (?:asking|your (?:question|message|patience|interest)|reaching out|contacting us| the inconvenience))?$/u,
  /^i(?: a|')m sorry (?:to hear (?:that|this|about that)|for the inconvenience)$/u,
  /^i hope (?:this|that|it) (?:helps?|answers your question|is helpful)$/u,
  /^(?:please )?(?:let (?:me|us) know|feel free to (?:ask|contact (?:me|us)|reach out)|do not hesitate to (?:ask|contact us)|don't hesitate to (?:ask|contact us))(?: if you (?:have|need) (?:any )?(?:other |further |more )?(?:questions?|help|information|details|anything else|assistance|anything))?$/u,
  /^if you (?:have|need) (?:any )?(?:other |further |more )?(?:questions?|help|assistance|anything else|anything),? (?:please |just )?(?:let (?:me|us) know|feel free to (?:ask|contact us|reach out)|ask|contact us)$/u,
  /^(?:i(?: a|')m )?(?:happy|glad|here) to help$/u,
  /^have a (?:nice|great|good|lovely) (?:day|weekend|evening)$/u,
];
const absent =
  /(?:资料|知识库|文档|信息|引用|内容)[中里内]?[^,，]{0,8}(?:没有|未|暂无|无法)[^,，]{0,4}(?:提到|提及|说明|找到|查到|相关|确认|涉及|写明)|(?:documents?|information|quotes?|knowledge base|sources?)[^,]{0,40} (?:do(?:es)? not|don't|doesn't) (?:say|mention|state|contain|include|cover)/u;

/** Whether a folded sentence is only polite, and claims nothing. */
export function isCourtesy(plain: string): boolean {
  const bare = /\p{L}(?:.*[\p{L}\p{N}])?/su.exec(plain)?.[0] ?? "";
  return bare === "" || [...chinese, ...english].some((pattern) => pattern.test(bare));
}

/** Whether a folded sentence says only that the texts do not have the answer. */
export function saysAbsence(plain: string): boolean {
  return plain.length <= 120 && absent.test(plain);
}
