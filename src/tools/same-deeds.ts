import { stemmed } from "../evidence/words.js";

/** Words for one deed: first the one that names of tools have, then what people say. */
const deeds: readonly (readonly string[])[] = [
  [
    "create",
    "make",
    "new",
    "open",
    "start",
    "file",
    "write",
    "publish",
    "register",
    "store",
    "创建",
    "新建",
    "新增",
    "建立",
  ],
  ["add", "put", "attach", "append", "invite", "create", "添加", "加入"],
  ["delete", "remove", "drop", "erase", "删除", "移除"],
  [
    "update",
    "change",
    "edit",
    "modify",
    "close",
    "rename",
    "set",
    "replace",
    "修改",
    "更新",
    "编辑",
    "设置",
  ],
  ["get", "show", "read", "fetch", "view", "display", "see", "查询", "查看", "获取"],
  ["list", "show", "which", "all", "every", "列出", "列表"],
  ["search", "find", "look", "lookup", "query", "搜索", "查找"],
  ["cancel", "stop", "abort", "end", "取消", "停止"],
  ["run", "start", "trigger", "dispatch", "execute", "launch", "运行", "执行"],
  ["send", "post", "mail", "submit", "发送", "提交"],
  ["book", "reserve", "order", "预订", "预定", "下单"],
  ["pay", "charge", "bill", "支付", "付款"],
  ["refund", "reimburse", "退款"],
  ["upload", "import", "上传"],
  ["download", "export", "下载"],
  ["approve", "accept", "confirm", "review", "批准", "确认"],
  ["assign", "give", "分配"],
];

/** Deeds by each of their words, as tokens. */
const byWord = new Map<string, readonly string[]>();
for (const words of deeds.map((row) => row.map(stemmed))) {
  const [name = ""] = words;
  for (const word of words) {
    const known = byWord.get(word) ?? [];
    byWord.set(word, [...known, ...(word === name ? words : [name])]);
  }
}

/** Other words for what a token says is done. */
export function sameDeeds(token: string): readonly string[] {
  return byWord.get(token) ?? [];
}
