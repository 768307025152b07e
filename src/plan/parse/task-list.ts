import { afterOf } from "../step.js";
import { addStep, type PlanDraft, type Span } from "./plan-draft.js";
import { textOf } from "./text-source.js";

/** A line of a text: `isCode` says that it is in a code fence with a language. */
type Line = Span & { readonly text: string; readonly isCode: boolean };

type Item = {
  readonly from: number;
  to: number;
  readonly number: number;
  readonly indent: number;
  readonly lines: string[];
  /** Whether following lines may be part of it. */
  isGrowing: boolean;
};

const numerals = "〇一二三四五六七八九十";
const numeral = `(\\d{1,9}|[${numerals}])`;
const forms: readonly RegExp[] = [
  String.raw`(?:step|task|步骤|任务)\s*${numeral}[\s*_]*[.)．、:：-]`,
  String.raw`第\s*${numeral}\s*步[\s*_]*(?:[.)．、:：，,]|(?![\s*_]))`,
  String.raw`[(（]?${numeral}[)）．、]`,
  String.raw`${numeral}[.:](?=\s)`,
  String.raw`[-*•]\s+()\[[ xX]?\]`,
].map((form) => new RegExp(String.raw`^([ \t]*)(?:[>*_#][>*_#\s]*)?${form}\s*(\S[^]*)$`, "i"));

/**
 * Reads the first numbered list as tasks, each with its sub-points and indented lines, one after another unless the
 * text states an order. For a text without any other plan.
 */
export function readNumberedTasks(draft: PlanDraft, to: number): void {
  const { items, isAlone } = listItems(linesOf(draft, to));
  draft.plans = isAlone ? 1 : 2;
  const whole = draft.isCut ? items.filter((item) => !reachesEnd(draft, item)) : items;
  for (const item of whole) {
    const { task, after } = ordered(item.lines.join("\n").replaceAll("**", "").trim());
    const before = draft.steps.at(-1)?.id;
    const ids = after ?? (before === undefined ? [] : [before]);
    addStep(draft, { kind: "task", id: `S${item.number}`, task, ...afterOf(ids) }, item);
  }
}

function reachesEnd({ source }: PlanDraft, { to }: Item): boolean {
  return textOf(source, to, source.chars.length).trim() === "";
}

function linesOf({ source }: PlanDraft, to: number): Line[] {
  let fence = "";
  let at = 0;
  return textOf(source, 0, to)
    .split("\n")
    .map((line) => {
      const from = at;
      at += line.length + 1;
      const text = line.replace(/\r$/, "");
      const [, language] = /^\s*```([\w-]*)/.exec(text) ?? [];
      if (language !== undefined) fence = fence === "" ? language || "text" : "";
      const isCode = fence !== "" && !/^(?:text|txt|markdown|md|plaintext|plan)$/i.test(fence);
      return { from, to: from + text.length, text, isCode };
    });
}

/** The items of the first list; `isAlone` says that no other list follows. */
function listItems(lines: readonly Line[]) {
  const items: Item[] = [];
  for (const line of lines) {
    const last = items.at(-1);
    const item = line.isCode ? undefined : itemOf(line, last);
    if (item === undefined || (last !== undefined && item.indent > last.indent && last.isGrowing)) {
      continueItem(last, line);
    } else if (last === undefined || item.number > last.number) {
      items.push(item);
    } else {
      return { items, isAlone: false };
    }
  }
  return { items, isAlone: true };
}

const maxHead = 200;

function itemOf({ from, to, text }: Line, last: Item | undefined): Item | undefined {
  const head = text.slice(0, maxHead);
  const match = forms.map((form) => form.exec(head)).find((each) => each !== null);
  if (!match) return undefined;
  const [, indent = "", mark = "", task = ""] = match;
  const number = mark === "" ? (last?.number ?? 0) + 1 : valueOf(mark);
  return {
    from,
    to,
    number,
    indent: indent.length,
    lines: [task + text.slice(maxHead)],
    isGrowing: true,
  };
}

function valueOf(mark: string): number {
  return /\d/.test(mark) ? Number(mark) : numerals.indexOf(mark);
}

/** Sub-points and indented lines are part of the item before them; other lines are prose. */
function continueItem(item: Item | undefined, { text, to, isCode }: Line): void {
  if (item === undefined || !item.isGrowing || text.trim() === "") return;
  item.isGrowing = !isCode && /^(?:\s+\S|[-*•]\s)/.test(text) && !/^\s*(?:```|\*\*|---)/.test(text);
  if (!item.isGrowing) return;
  item.lines.push(text);
  item.to = to;
}

const order =
  /[(（](?:depends on|after|dependencies|依赖)(?:\s*[:：])?(?:\s*(?:none|无)|([\d\s,，、#SEand]+))[)）]\.?$/i;

function ordered(text: string): { readonly task: string; readonly after?: readonly string[] } {
  const match = order.exec(text);
  if (match === null) return { task: text };
  const [, ids = ""] = match;
  const numbers = ids.match(/\d{1,9}/g) ?? [];
  return {
    task: text.slice(0, match.index).trimEnd(),
    after: numbers.map((number) => `S${number}`),
  };
}
