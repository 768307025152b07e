import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";

import { barriers, errorsIn, hasBrowser, openPage, takeErrors } from "../support/browser.js";
import { servePages } from "../support/served-pages.js";

// What people need who answer customers with the page all day.

const site = servePages(["desk", "reviewed", "telling"], async (data) => ({
  traces: join(data, "traces.db"),
}));

const pages: Page[] = [];

afterEach(async () => {
  const errors = pages.flatMap(errorsIn);
  for (const page of pages.splice(0)) await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});

async function open(path = "/chat"): Promise<Page> {
  const page = await openPage(site.browser, site.server.url);
  pages.push(page);
  await page.goto(path);
  await page.locator(".composer textarea").waitFor();
  return page;
}

async function say(page: Page, question: string): Promise<void> {
  await page.locator(".composer textarea").fill(question);
  await page.keyboard.press("Enter");
}

/** Opens the page and asks a graph. */
async function ask(question: string, graph = "desk"): Promise<Page> {
  const page = await open();
  await page.locator("select").selectOption({ label: graph });
  await say(page, question);
  return page;
}

const decideOn = (page: Page, name: string) =>
  page.locator(".request").getByRole("button", { name, exact: true }).first();

/** Pastes a file into the field where a question is written. */
const pasteFile = `{
  const data = new DataTransfer();
  data.items.add(new File(["words"], "note.txt", { type: "text/plain" }));
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
  document.querySelector(".composer textarea").dispatchEvent(event);
}`;

async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).last().innerText()).replaceAll(/\s+/g, " ");
}

describe.skipIf(!hasBrowser)("the page, all day", () => {
  it("shows an answer while it is written, after a reload, too", async () => {
    const page = await ask("twelve", "telling");
    const written = page.locator('.answer[aria-busy="true"]');
    await written.waitFor();
    expect(await written.innerText()).toMatch(/^I/);
    await page.reload();
    await written.waitFor();
    await page.locator(".summary").waitFor();
    expect(await textOf(page, ".answer")).toBe("It is told slowly. ".repeat(6).trim());
  });

  it("stops a run that was there before the page was loaded", async () => {
    const page = await ask("slow");
    await page.locator(".step.running").waitFor();
    await page.reload();
    await page.locator(".step.running").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".summary.cancelled").waitFor();
    expect(await textOf(page, ".plan h3")).toBe("Plan · 1 stopped");
    expect(await textOf(page, ".step.stopped .brief")).toBe("stopped");
    expect(await page.locator(".summary .problem").count()).toBe(0);
  });

  it("tells the second of two people that somebody was faster, while the run goes on", async () => {
    const first = await ask("later");
    await first.locator(".request").waitFor();
    const second = await open(new URL(first.url()).pathname);
    await second.locator(".request").waitFor();
    await decideOn(first, "Reject").click();
    await first.keyboard.type("Not today");
    await first.keyboard.press("Enter");
    await first.locator(".step.denied").waitFor();
    await decideOn(second, "Approve").click();
    await second.locator(".step.denied").waitFor();
    expect(await textOf(second, ".alert")).toContain("decided already by somebody else");
    expect(await textOf(second, ".step.denied .brief")).toBe("refused by a person: Not today");
    await first.locator(".summary").waitFor();
    await second.locator(".summary").waitFor();
    expect(await textOf(second, ".alert")).toContain("decided already");
    expect(await textOf(first, ".plan h3")).toBe("Plan · 1 done · 1 refused by a person");
  });

  it("shows a choice as one, and what a call left out only at a click", async () => {
    const page = await ask("choice");
    await page.locator(".request").waitFor();
    expect(await page.getByLabel("by").locator("option").allInnerTexts()).toEqual(["card", "cash"]);
    expect(await page.getByLabel("times").isVisible()).toBe(false);
    await page.getByLabel("by").selectOption("cash");
    await page.getByText("More arguments (2)").click();
    expect(await page.getByLabel("urgent").isChecked()).toBe(true);
    await page.getByLabel("times").fill("two");
    await decideOn(page, "Approve as changed").click();
    expect(await textOf(page, ".request .problem")).toBe("This is not a number.");
    await page.getByLabel("times").fill("2");
    await page.reload();
    await page.locator(".request").waitFor();
    expect(await page.getByLabel("times").inputValue()).toBe("2");
    await decideOn(page, "Approve as changed").click();
    await page.locator(".summary").waitFor();
    await page.locator(".step.done").click();
    expect(await textOf(page, ".pane")).toContain("Paid Eve by cash, times: 2.");
  });

  it("begins at /, and fits a phone on every screen", async () => {
    const page = await open("/");
    expect(new URL(page.url()).pathname).toBe("/chat");
    expect(await page.locator('link[rel="icon"]').getAttribute("href")).toMatch(/^data:image/);
    await page.setViewportSize({ width: 390, height: 800 });
    const tooWide = () => page.evaluate("document.body.scrollWidth - innerWidth");
    for (const path of ["/chat", "/runs", "/trace/none"]) {
      await page.goto(path);
      await page.locator("header").waitFor();
      expect(await tooWide()).toBeLessThanOrEqual(0);
      const header = await page.locator("header").boundingBox();
      expect(header?.height).toBeLessThan(60);
    }
    takeErrors(page);
  });

  it("keeps a request in sight for who reads at the end, and leaves a reader above alone", async () => {
    const page = await ask("twelve");
    await page.locator(".summary").waitFor();
    await say(page, "two");
    await page.locator(".request").nth(1).waitFor();
    const gap = () =>
      page
        .locator(".turns")
        .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    await expect.poll(gap).toBeLessThan(5);
    await page.locator(".turns").hover();
    await page.mouse.wheel(0, -5_000);
    await expect.poll(gap).toBeGreaterThan(300);
    await page.getByLabel("amount").first().fill("6");
    expect(await gap()).toBeGreaterThan(300);
    // Who sends something goes to the end.
    await say(page, "table");
    await page.locator(".summary").nth(1).waitFor();
    await expect.poll(gap).toBeLessThan(5);
    expect(await textOf(page, ".turn:nth-child(2) .summary")).toMatch(
      /^Not carried out: another question took its place/,
    );
    expect(await textOf(page, ".turn:nth-child(2) .plan h3")).toBe(
      "Plan · 1 done · 3 not carried out",
    );
  });

  it("says before a question is asked again what becomes of what was carried out", async () => {
    const page = await ask("one");
    await decideOn(page, "Approve").click();
    await page.locator(".summary").waitFor();
    await page.getByRole("button", { name: "Edit and ask again" }).click();
    expect(await textOf(page, ".edit")).toContain("A new conversation begins with it.");
    await page.keyboard.press("Escape");
    await say(page, "one");
    await decideOn(page, "Approve").click();
    await page.locator(".summary").nth(1).waitFor();
    await page.getByRole("button", { name: "Edit and ask again" }).last().click();
    expect(await textOf(page, ".edit")).toContain("What was carried out below stays carried out.");
    expect(await barriers(page)).toEqual([]);
    await page.locator(".edit textarea").fill("table");
    await page.keyboard.press("Enter");
    await page.locator(".answer table").waitFor();
    const paid = await readFile(join(site.data, "paid.txt"), "utf8");
    expect(paid.match(/Cleo 3/g)).toHaveLength(2);
  });

  it("keeps what was written and decided when another conversation is opened, and over a reload", async () => {
    const page = await ask("two");
    await page.locator(".request").nth(1).waitFor();
    await page.getByLabel("amount").first().fill("6");
    await page.locator(".request").nth(1).getByRole("button", { name: "Approve" }).click();
    await page.locator(".composer textarea").fill("Not sent yet");
    await page.getByRole("button", { name: "New chat" }).click();
    await page.locator(".welcome").waitFor();
    expect(await page.locator(".composer textarea").inputValue()).toBe("");
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) plangraph$/);
    expect(await textOf(page, ".threads .waits")).toMatch(/waits? for you$/);
    await page.goBack();
    const isAsBefore = async () => {
      await page.locator(".request").nth(1).waitFor();
      expect(await page.getByLabel("amount").first().inputValue()).toBe("6");
      expect(await textOf(page, ".request")).toContain("Decided: Approve");
      expect(await page.locator(".composer textarea").inputValue()).toBe("Not sent yet");
    };
    await isAsBefore();
    await page.reload();
    await isAsBefore();
    await decideOn(page, "Approve as changed").click();
    await page.getByRole("button", { name: "Send 2 decisions" }).click();
    await page.getByPlaceholder("Your answer…").waitFor();
    expect(await page.evaluate("Object.keys(sessionStorage)")).toEqual([
      expect.stringContaining("question."),
    ]);
  });

  it("says that a question has to wait, and takes pictures from the clipboard", async () => {
    const page = await ask("slow");
    await page.locator(".step.running").waitFor();
    await say(page, "And then?");
    expect(await textOf(page, ".composer")).toContain("It is still at work.");
    await page.evaluate(pasteFile);
    await page.locator(".composer .files").waitFor();
    expect(await textOf(page, ".composer .files")).toContain("note.txt");
    expect(await page.locator(".composer textarea").inputValue()).toBe("And then?");
  });

  it("begins a new conversation in the place of one that is not there", async () => {
    const page = await open("/chat/garbage");
    await page.locator(".alert").waitFor();
    expect(await textOf(page, ".alert")).toContain("There is no such conversation");
    await page.locator("select").selectOption({ label: "desk" });
    await say(page, "table");
    await page.locator(".summary").waitFor();
    expect(page.url()).toMatch(/\/chat\/[\da-f-]{36}$/);
    takeErrors(page);
  });

  it("leads past the list of conversations by one key, and keeps the focus in a plan", async () => {
    const page = await ask("review", "reviewed");
    await page.locator(".review li").nth(2).waitFor();
    await page.getByRole("button", { name: "Move down" }).nth(1).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    expect(await textOf(page, ".review li:last-child")).toContain("The second");
    await page.getByRole("button", { name: "Remove" }).first().click();
    const focused = () => page.evaluate("document.activeElement.className");
    expect(await focused()).toBe("review");
    await page.reload();
    await page.locator(".review li").nth(1).waitFor();
    expect(await page.locator(".review li").count()).toBe(2);
    await page.locator("h1 a").focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("ask");
  });
});
