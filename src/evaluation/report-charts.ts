import type { Cell } from "./cell.js";
import { escaped } from "./escape.js";
import { pricingOf } from "./price.js";
import { quantile } from "./statistics.js";
import { durationText, type Summary } from "./summary.js";

const width = 420;
const rowHeight = 30;
const left = 130;
const right = 20;
const plot = width - left - right;

/** The share of each subject as a dot on the line of its interval. */
export function shareChart({ subjects }: Summary): string {
  const x = (share: number) => left + share * plot;
  const rows = subjects.map(({ subject, share }, at) => {
    const y = rowHeight * at + rowHeight / 2;
    return [
      label(subject, y),
      line(x(share.low), y, x(share.high), y, "bar"),
      dot(x(share.share), y, `${subject}: ${share.right} of ${share.of}`),
    ].join("");
  });
  const height = rowHeight * subjects.length;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    tick(x(share), height, `${Math.round(share * 100)} %`),
  );
  return picture(height + 24, "Share of right results by subject", [...ticks, ...rows]);
}

/** What a run costs against how often it is right; where not all have prices, its tokens. */
export function costChart({ subjects }: Summary): string {
  const { unit, priceOf } = pricingOf(subjects);
  const most = Math.max(...subjects.map(priceOf), Number.MIN_VALUE) * 1.15;
  const height = 200;
  const [from, across] = [46, width - 66];
  const x = (price: number) => from + (price / most) * across;
  const y = (share: number) => 12 + (1 - share) * (height - 24);
  const dots = subjects.map((one) => {
    const [cx, cy] = [x(priceOf(one)), y(one.share.share)];
    const isFar = cx > width * 0.7;
    const text = `<text x="${round(cx + (isFar ? -9 : 9))}" y="${round(cy + 4)}" text-anchor="${isFar ? "end" : "start"}">${escaped(one.subject)}</text>`;
    return dot(cx, cy, one.subject) + text;
  });
  const shares = [0, 0.5, 1].map(
    (share) =>
      `${line(from, y(share), width - 20, y(share), "axis")}<text class="dim" x="0" y="${round(y(share) + 4)}">${share * 100} %</text>`,
  );
  const prices = [0, most / 2, most].map((price) => {
    const text =
      unit === "dollars" ? `$${price.toPrecision(2)}` : Math.round(price).toLocaleString("en-US");
    return `<text class="dim" x="${round(x(price))}" y="${height + 16}" text-anchor="middle">${text}</text>`;
  });
  return picture(height + 24, costTitle({ subjects }), [...shares, ...prices, ...dots]);
}

/** What the picture of costs shows. */
export function costTitle({ subjects }: Pick<Summary, "subjects">): string {
  return pricingOf(subjects).unit === "dollars" ? "Cost against success" : "Tokens against success";
}

/** The times of each subject's runs: each run a dot, the middle half a bar. */
export function timeChart({ subjects }: Summary, cells: readonly Cell[]): string {
  const times = subjects.map(({ subject }) =>
    cells
      .filter((cell) => cell.subject === subject && cell.right !== undefined)
      .flatMap(({ run }) => run?.ms ?? [])
      .toSorted((one, other) => one - other),
  );
  const most = Math.max(...times.flat(), 1) * 1.05;
  const x = (ms: number) => left + (ms / most) * plot;
  const rows = subjects.map(({ subject }, at) => {
    const y = rowHeight * at + rowHeight / 2;
    const own = times[at] ?? [];
    const dots = own.map(
      (ms) => `<circle class="dot" cx="${round(x(ms))}" cy="${y}" r="2" opacity="0.5"/>`,
    );
    const [low, high] = [quantile(own, 0.25), quantile(own, 0.75)];
    const bar = own.length === 0 ? "" : line(x(low), y + 8, x(high), y + 8, "bar");
    return label(subject, y) + dots.join("") + bar;
  });
  const height = rowHeight * subjects.length;
  const ticks = [0, most / 2, most].map((ms) => tick(x(ms), height, durationText(ms)));
  return picture(height + 24, "Times of runs by subject", [...ticks, ...rows]);
}

function picture(height: number, title: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">${parts.join("")}</svg>`;
}

function label(text: string, y: number): string {
  const short = text.length > 18 ? `${text.slice(0, 17)}…` : text;
  return `<text x="0" y="${y + 4}"><title>${escaped(text)}</title>${escaped(short)}</text>`;
}

function tick(x: number, height: number, text: string): string {
  const anchor = x > width - 2 * right ? "end" : "middle";
  return `${line(x, 0, x, height, "axis")}<text class="dim" x="${round(x)}" y="${height + 16}" text-anchor="${anchor}">${text}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number, kind: string): string {
  return `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

function dot(x: number, y: number, title: string): string {
  return `<circle class="dot" cx="${round(x)}" cy="${round(y)}" r="5"><title>${escaped(title)}</title></circle>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
