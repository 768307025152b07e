// Writes the pictures of the page in docs/screens, with Debian's Chromium. Run it: npm run screens
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { type Look, openBrowser, openPage } from "../test/support/browser.js";
import { buildServedPage, startServerProcess } from "../test/support/plangraph-server.js";

const root = join(import.meta.dirname, "..");
const to = join(root, "docs/screens");
const data = await mkdtemp(join(tmpdir(), "plangraph-screens-"));

type Shot = {
  readonly name: string;
  readonly graph: string;
  readonly question: string;
  readonly look?: Look;
  /** What is done before the picture is taken. */
  readonly until: (page: Page) => Promise<void>;
};

const seen = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().waitFor();
  await page.waitForTimeout(400);
};

const withStep = (place: number) => async (page: Page) => {
  await page.locator(".summary, .request").first().waitFor();
  await page.locator(".step button").nth(place).click();
  await page.locator(".graph .node").first().waitFor();
  await page.waitForTimeout(400);
};

const trace = async (page: Page) => {
  await page.locator(".summary a").click();
  await page.locator(".tree li").nth(1).click();
  await page.waitForTimeout(400);
};

const runs = async (page: Page) => {
  await page.locator(".summary").waitFor();
  await page.goto("/runs");
  await seen(".figures")(page);
};

const phone = { width: 390 } as const;
const dark = { theme: "dark" } as const;
const chinese = { language: "zh-CN" } as const;

const shots: readonly Shot[] = [
  { name: "plan-running", graph: "desk", question: "twelve", until: seen(".step.running") },
  { name: "plan-done", graph: "desk", question: "twelve", until: withStep(6) },
  { name: "plan-done-dark", graph: "desk", question: "twelve", look: dark, until: withStep(3) },
  { name: "approval", graph: "shop", question: "Please refund my kettle", until: withStep(0) },
  { name: "approvals-dark", graph: "desk", question: "two", look: dark, until: seen(".request") },
  {
    name: "approval-phone",
    graph: "shop",
    question: "Please refund my toaster",
    look: phone,
    until: seen(".request"),
  },
  {
    name: "approval-chinese",
    graph: "shop",
    question: "请给我的苹果退款",
    look: chinese,
    until: seen(".request"),
  },
  {
    name: "question-chinese-dark-phone",
    graph: "shop",
    question: "我要退款",
    look: { ...chinese, ...dark, ...phone },
    until: seen(".request"),
  },
  { name: "plan-review", graph: "reviewed", question: "review", until: seen(".review li") },
  {
    name: "table-phone",
    graph: "shop",
    question: "Show all orders",
    look: phone,
    until: seen(".answer td"),
  },
  { name: "trace", graph: "desk", question: "twelve", until: trace },
  {
    name: "trace-chinese-dark",
    graph: "desk",
    question: "twelve",
    look: { ...chinese, ...dark },
    until: trace,
  },
  { name: "runs", graph: "desk", question: "twelve", until: runs },
];

async function take(
  browser: Browser,
  url: string,
  { name, graph, question, look, until }: Shot,
): Promise<void> {
  const page = await openPage(browser, url, look);
  await page.goto("/chat");
  await page.locator("select").selectOption({ label: graph });
  await page.locator(".composer textarea").fill(question);
  await page.keyboard.press("Enter");
  await until(page);
  await page.screenshot({ path: join(to, `${name}.png`) });
  await page.context().close();
}

await buildServedPage();
await mkdir(to, { recursive: true });
const pages = join(root, "test/support/page-graphs.ts");
const server = await startServerProcess({
  kind: "server",
  cwd: root,
  data: join(data, "server"),
  traces: join(data, "traces.db"),
  graphs: {
    shop: join(root, "examples/shop/chat.ts:shop"),
    desk: `${pages}:desk`,
    reviewed: `${pages}:reviewed`,
  },
  environment: { PAID_FILE: join(data, "paid.txt") },
});
const browser = await openBrowser();
try {
  for (const shot of shots) await take(browser, server.url, shot);
} finally {
  await browser.close();
  await server.stop();
  await rm(data, { recursive: true, force: true });
}
