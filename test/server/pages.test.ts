import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  barriers,
  errorsIn,
  hasBrowser,
  type Look,
  openPage,
  takeErrors,
} from "../support/browser.js";
import { openCutProxy } from "../support/cut-proxy.js";
import { keepLongRun } from "../support/long-run.js";
import { components, hostile } from "../support/page-graphs.js";
import { servePages } from "../support/served-pages.js";

let page: Page;

const site = servePages(["desk", "reviewed"], async (data) => {
  await writeFile(join(data, "components.js"), components);
  return {
    traces: join(data, "traces.db"),
    pages: {
      components: join(data, "components.js"),
      traceLink: "https://traces.example/runs/{run}",
    },
  };
});
afterEach(async () => {
  const errors = errorsIn(page);
  await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});

/** Opens the page and asks. */
async function ask(
  question: string,
  look: Look = {},
  graph = "desk",
  url = site.server.url,
): Promise<void> {
  page = await openPage(site.browser, url, look);
  await page.goto("/chat");
  await page.locator("select").selectOption({ label: graph });
  await page.locator(".composer textarea").fill(question);
  await page.keyboard.press("Enter");
}

/** What was paid, in order. */
async function paid(): Promise<readonly string[]> {
  return (await readFile(join(site.data, "paid.txt"), "utf8")).trim().split("\n");
}

async function text(selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replaceAll(/\s+/g, " ");
}

describe.skipIf(!hasBrowser)("the page", () => {
  it("shows a plan of twelve steps while it is carried out, with what failed and what was skipped", async () => {
    await ask("twelve");
    await page.locator(".step.running").first().waitFor();
    await page.locator(".summary").waitFor();
    expect(await text(".plan h3")).toContain("9 done · 1 failed · 2 skipped");
    expect(await text(".step.failed")).toContain("failed: The warehouse does not answer.");
    expect(await text(".answer")).toBe("All of it is done.");
    await page.locator(".step button").nth(3).click();
    await page.locator(".pane .graph .node").first().waitFor();
    expect(await page.locator(".pane .graph .node").count()).toBe(12);
    expect(await text(".pane .details")).toContain("a again");
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  it("asks for two approvals at once, then a question: one is edited, one rejected with a reason", async () => {
    await ask("two");
    await page.locator(".request").nth(1).waitFor();
    expect(await page.title()).toBe("(?) two · plangraph");
    await page.locator(".threads .asking").first().waitFor();
    const [first, second] = [page.locator(".request").nth(0), page.locator(".request").nth(1)];
    expect(await first.locator(".evidence").innerText()).toContain("Ann");
    expect(await barriers(page)).toEqual([]);
    const all = page.getByRole("button", { name: "Approve all 2" });
    expect(await all.count()).toBe(1);
    await first.getByLabel("amount").fill("six");
    await expect.poll(() => all.count()).toBe(0);
    await first.getByRole("button", { name: "Approve as changed" }).click();
    expect(await first.locator(".problem").innerText()).toBe("This is not a number.");
    await first.getByLabel("amount").fill("6");
    await first.getByRole("button", { name: "Approve as changed" }).click();
    await second.getByRole("button", { name: "Reject" }).click();
    await page.keyboard.type("Ben is on holiday");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Send 2 decisions" }).click();
    await page.getByPlaceholder("Your answer…").fill("Ann's");
    await page.keyboard.press("Enter");
    await page.locator(".summary").waitFor();
    expect(await paid()).toEqual(["Ann 6"]);
    expect(await text(".plan")).toContain("Ben is on holiday");
  });

  it("is as it was when it is loaded again, in a pause and in the middle of a run", async () => {
    await ask("one");
    await page.locator(".request").waitFor();
    await page.reload();
    await page.locator(".request").waitFor();
    expect(await text(".plan h3")).toContain("1 waiting for you");
    await page.getByRole("button", { name: "Reject" }).click();
    await page.keyboard.press("Enter");
    await page.locator(".summary").waitFor();
    await page.locator(".composer textarea").fill("slow");
    await page.keyboard.press("Enter");
    await page.locator(".step.running").waitFor();
    await page.reload();
    await page.locator(".step.running").waitFor();
    expect(await page.locator(".turn").count()).toBe(2);
    await page.locator(".summary").nth(1).waitFor();
    expect(await page.locator(".plan").nth(1).innerText()).toContain("slowly");
  });

  it("tells a second person what the first decided, and carries it out once", async () => {
    await ask("one");
    await page.locator(".request").waitFor();
    const other = await openPage(site.browser, site.server.url);
    await other.goto(page.url());
    await other.locator(".request").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await other.getByRole("button", { name: "Approve" }).click();
    for (const each of [page, other]) await each.locator(".summary").waitFor();
    expect(await paid()).toContain("Cleo 3");
    expect((await paid()).filter((one) => one === "Cleo 3")).toHaveLength(1);
    expect(errorsIn(other)).toEqual([]);
    await other.context().close();
  });

  it("says that the connection was lost, and goes on when it is back", async () => {
    const way = await openCutProxy(site.server.url);
    await ask("slow", {}, "desk", way.url);
    await page.locator(".step.running").waitFor();
    way.cut();
    await page.getByText("The connection was lost").waitFor();
    way.mend();
    await page.locator(".summary").waitFor();
    expect(await text(".answer")).toBe("All of it is done.");
    expect(await text(".plan h3")).toContain("1 done");
  });

  it("shows what tools and models write as text, and runs none of it", async () => {
    await ask("hostile");
    await page.locator(".summary").waitFor();
    await page.locator(".step button").first().click();
    await page.locator(".pane pre").first().waitFor();
    expect(await text(".answer .markdown")).toContain("<script>window.hacked=1</script>");
    expect(await text(".pane .details")).toContain(hostile);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator(".answer strong").innerText()).toBe("bold");
    expect(await page.locator(".answer a, .answer img").count()).toBe(0);
  });

  it("draws what an answer shows with the operator's components, else as its data", async () => {
    await ask("gauges");
    await page.locator(".answer meter").waitFor();
    expect(await page.locator(".answer meter").textContent()).toBe("en");
    expect(await text(".answer")).toContain("<b>Level</b> 7");
    // One that draws neither a node nor a text, and one that every object has, are none.
    expect(await page.locator(".answer details summary").allInnerTexts()).toEqual([
      "Number",
      "toString",
    ]);
    expect(takeErrors(page)).toEqual([expect.stringContaining("The component Number failed.")]);
  });

  it("shows a table of 200 rows, the first 20 at first", async () => {
    await ask("table", { width: 390 });
    await page.locator(".answer td").first().waitFor();
    expect(await page.locator(".answer tbody tr").count()).toBe(20);
    await page.getByRole("button", { name: /200 rows/ }).click();
    expect(await page.locator(".answer tbody tr").count()).toBe(200);
  });

  it("lets a person put a plan in another order, by keys, and take a step out", async () => {
    await ask("review", {}, "reviewed");
    await page.locator(".review li").nth(2).waitFor();
    expect(await page.locator(".plan").count()).toBe(0);
    await page.getByRole("button", { name: "Move up" }).nth(2).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove" }).nth(2).click();
    await page.getByRole("button", { name: "Approve as changed" }).click();
    await page.locator(".summary").waitFor();
    expect(await text(".plan h3")).toContain("2 done · 1 not carried out");
    expect(await text(".step.dropped")).toContain("The second");
  });

  it("carries out a plan that a person approves as it is", async () => {
    await ask("review", {}, "reviewed");
    await page.locator(".review li").nth(2).waitFor();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator(".summary").waitFor();
    expect(await text(".plan h3")).toContain("3 done");
    // The buttons are gone: the keyboard is where the conversation is, and not lost.
    expect(await page.evaluate("document.activeElement !== document.body")).toBe(true);
  });

  it("follows a run that is under way in its trace", async () => {
    await ask("slow");
    await page.locator(".step.running").waitFor();
    const Runs = z.object({ runs: z.array(z.object({ id: z.string(), question: z.string() })) });
    const running = async () => {
      const found = await fetch(`${site.server.url}/traces?status=running&limit=1`);
      return Runs.parse(await found.json()).runs.find(({ question }) => question === "slow")?.id;
    };
    // What happens is written to the file a little later.
    await expect.poll(running).toBeDefined();
    await page.goto(`/trace/${await running()}`);
    await page.locator(".head", { hasText: "under way · desk · rewoo" }).waitFor();
    await page.locator(".head", { hasText: "answered · desk · rewoo" }).waitFor();
  });

  it("draws 300 parts of a long run at a time, by their numbers", async () => {
    await keepLongRun(join(site.data, "traces.db"), 320);
    page = await openPage(site.browser, site.server.url);
    await page.goto("/trace/long");
    const parts = page.locator(".tree li");
    await expect.poll(() => parts.count()).toBe(300);
    await page.getByRole("button", { name: "↓ 21 parts after" }).click();
    await expect.poll(() => parts.count()).toBe(21);
    expect(await page.locator(".tree ol").getAttribute("start")).toBe("301");
    await page.keyboard.press("k");
    await expect.poll(() => parts.count()).toBe(300);
  });

  it("speaks Chinese, in the dark, on a phone", async () => {
    await ask("twelve", { language: "zh-CN", theme: "dark", width: 390 });
    await page.locator(".summary").waitFor();
    expect(await text(".plan h3")).toContain("完成 9 · 失败 1 · 跳过 2");
    expect(await text(".summary")).toContain("已回答");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await barriers(page)).toEqual([]);
  });

  it("asks again in the place of an earlier question", async () => {
    await ask("table");
    await page.locator(".summary").waitFor();
    await page.getByRole("button", { name: "Edit and ask again" }).click();
    await page.getByLabel("Edit and ask again").fill("twelve");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator(".step.failed").waitFor();
    await page.locator(".summary").waitFor();
    expect(await page.locator(".turn").count()).toBe(1);
    expect(await text(".question")).toContain("twelve");
  });

  it("stops a run", async () => {
    await ask("slow");
    await page.locator(".step.running").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".summary.cancelled").waitFor();
    expect(await page.locator(".step.running").count()).toBe(0);
    expect(await page.locator(".answer").count()).toBe(0);
  });

  it("shows what happened in a run, judges it and makes a test of it", async () => {
    await ask("twelve");
    const judged = (name: string) => page.getByRole("button", { name, pressed: true }).waitFor();
    await page.locator(".summary").getByRole("button", { name: "Good" }).click();
    await page.getByText("Saved").waitFor();
    await page.reload();
    await judged("Good");
    await page.locator(".summary a").click();
    await page.locator(".tree li").nth(5).waitFor();
    await judged("Good");
    expect(await text(".head")).toContain("answered · desk · rewoo");
    await page.keyboard.press("j");
    expect(await text(".block h3")).toContain("planner");
    expect(await text(".block")).toContain("twelve");
    const link = page.getByRole("link", { name: "Open in the tracing back end" });
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/traces\.example\/runs\/[\w-]{36}$/);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".block").getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain('"role": "system"');
    expect(await barriers(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Make a test of it" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.test\.mjs$/);
    await page.getByRole("button", { name: "Bad" }).click();
    await judged("Bad");
    await page.goto("/runs");
    await page.locator(".figures").waitFor();
    const rows = page.locator(".runs table").last().locator("tbody tr");
    await page.getByRole("button", { name: "broken", exact: true }).click();
    await page.getByText("Runs with broken").waitFor();
    await expect.poll(() => rows.count()).toBe(4);
    for (const row of await rows.allInnerTexts()) expect(row).toContain("twelve");
    expect(await barriers(page)).toEqual([]);
  });
});
