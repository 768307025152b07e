import { alternatives } from "./same-words.js";

/** Words with which models put a fact into a sentence; they claim nothing by themselves. */
const chinese = `可以 能够 可 需要 需 请 您好 您 您的 我们 我 为您 根据 按照 依据 相关 规定 规则 资料 信息 显示 关于 对于 至于 以下 如下 以上 上述 目前
  现在 当前 一般 通常 具体 主要 另外 此外 同时 并且 而且 以及 还有 还会 还可以 另有 其中 其他 其它 分别 均 都 也 即可 就可以 就能 便可 才能 才可以 如果 若 要是 的话 时候
  时 之后 之前 以后 以前 后 前 内 期间 期限 时间 方式 方法 情况 情形 条件 要求 范围 标准 享受 享有 享 拥有 作为 属于 成为 进行 办理 提供 支持 使用 通过 选择
  申请 完成 进入 前往 点击 打开 查看 操作 处理 安排 收取 支付 计算 计费 达到 超过 不足 低于 高于 大约 约 左右 最多 至多 最低 最高 最少 至少 起 为 是 即 也就是说
  换句话说 总之 简单来说 因此 所以 因为 由于 虽然 但是 但 不过 然而 只 只能 只有 仅 仅限 只限 限 除 除外 除了 以外 之外 外 而 则 且 或 或者 和 与 及 每 每个 所有 全部 任何 不同 不一样
  提醒 温馨提示 注意 请注意 需要注意的是 注意的是 提示 建议 说明 答案 回答 问题 抱歉 很抱歉 非常 很 比较 更 会 将 将会 能 不能 无法 有 没有 没 到 从 自 在 向 按 以 给 让 对 把 被 由 各 各自 并 等 等等 哦 呢 啦 哈 呀 亲
  对应 相应 例如 比如 如 包括 包含 属于 也是 就是 还是 之间 如需 想要 希望 打算 直接 即时 就 再 又 已 已经 了 着 过 的 得 地 所 可享 可享受 一共 总共 共 合计 换算 相当于 等于 打 费用 金额 价格 商品 订单 用户 客户 单 次 天 日 一次性 一个 状态 步骤 等待 出现 内容 地方 之处 注明 写明 写有 开具 拨打 致电 准备 重新 再次 购物 自己 亲自 元 公斤 系统 双方 等级 类别 类目 种类 店铺 平台 页面 网页 累计 服务时间 限时 政策 细则 一览 总结 概括 这 那 该 此 本 当 这样 那么 如何 怎么 什么 多少 多久 哪些`;

const english = `accord according additionally allow allowed also amount apply applies available base based before below below case certain choose come comes condition
  currently day days detail details enjoy entitle entitled example following however include included includes including information instead later least less like make means mention mentioned
  need needs normally note offer offers once option options otherwise per period please policy possible provide provided provides qualify regarding related require required requires rule rules say says see select shall sure
  state stated take takes taken thing things time times today total unfortunately upon usually via way well within without work works yes new however meaning namely respectively both each every everything anything all any only except unless
  sorry hello hi thanks thank dear know let just simply directly current general generally specific given e.g i.e etc hour hours week weeks month months year years minute minutes item product allowable possible eligible able unable support supported supports cannot don't doesn't isn't aren't can't won't one two three first second third next last long many much whether while during until till under over up out there here those these this that ask asks asked answer question go goes use used uses using receive keep find found view check team last rule policy summary overview stay spend`;

const chineseWords = alternatives(chinese.split(/\s+/).filter((word) => word.length > 1));
const chineseSigns = new Set(chinese.split(/\s+/).filter((word) => word.length === 1));
const englishWords = new Set(english.split(/\s+/));

/** A folded text in which Chinese words that claim nothing are replaced by a space. */
export function withoutCommonWords(plain: string): string {
  return plain.replaceAll(chineseWords, " ");
}

/** Whether a single Chinese character claims nothing. */
export function isCommonSign(sign: string): boolean {
  return chineseSigns.has(sign);
}

/** Whether an English word claims nothing. */
export function isCommonWord(word: string): boolean {
  return englishWords.has(word);
}
