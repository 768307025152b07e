import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import type { AgentEvent } from "../../src/observe/events.js";
import { noUsage } from "../../src/state/usage.js";
import { TraceFile } from "../../src/tracing/index.js";
import { barriers, errorsIn, hasBrowser, type Look, openPage } from "../support/browser.js";
import { paidRun } from "../support/decided-run.js";
import { servePages } from "../support/served-pages.js";

let page: Page;

const site = servePages(["desk", "reviewed"], (data) =>
  Promise.resolve({ traces: join(data, "traces.db") }),
);
afterEach(async () => {
  const errors = errorsIn(page);
  await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});

/** Adds events to the runs that the server has kept. */
async function keep(run: string, events: readonly AgentEvent[]): Promise<void> {
  const file = await TraceFile.open(join(site.data, "traces.db"));
  file.transaction(() => {
    for (const event of events) file.add(run, { event: { ...event, runId: run } });
  });
  file.close();
}

/** A run of a graph that began some time ago, with these events after so many milliseconds. */
function runOf(graphId: string, question: string, ...later: readonly ((at: number) => Later)[]) {
  const began = Date.now() - 30_000;
  const origin = { runId: "", node: "agent" };
  const started = { type: "run_started", graph: "react", graphId, content: { question } } as const;
  const events: readonly AgentEvent[] = [{ ...origin, at: began, ...started }];
  return [...events, ...later.map((make) => ({ ...origin, ...make(began) }))];
}

type Later = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, "runId" | "node">
    : never
  : never;

async function open(address: string, look: Look = {}): Promise<void> {
  page = await openPage(site.browser, site.server.url, look);
  await page.goto(address);
}

async function text(selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replaceAll(/\s+/g, " ");
}

const rows = () => page.locator(".runs table").last().locator("tbody tr");
const reason = "The model does not answer.";

describe.skipIf(!hasBrowser)("the pages of runs", () => {
  beforeAll(async () => {
    await keep("decided", paidRun("approved"));
    await keep("waiting", paidRun("asked"));
    await keep(
      "failed",
      runOf("talk", "Where is it?", (at) => ({
        at: at + 1_200,
        type: "run_finished",
        outcome: { status: "failed" },
        error: reason,
        usage: noUsage,
        ms: 1_200,
        content: { answer: reason },
      })),
    );
    await keep(
      "under-way",
      runOf("talk", "Look it up.", (at) => ({
        at: at + 10,
        type: "tool_started",
        callId: "c",
        tool: "work",
      })),
    );
    const long = `First ${"and again ".repeat(800)}`;
    const words = "Add\nthem up.";
    await keep("long", runOf("desk", long));
    const [started] = runOf("desk", `list.csv:\n1,2\n${words}`);
    if (started?.type !== "run_started") return;
    const question = started.content?.question ?? "";
    await keep("file", [{ ...started, content: { question, words } }]);
  });

  it("say in the block of a call who decided what and when, and what was changed", async () => {
    await open("/trace/decided");
    const row = page.locator(".tree li", { hasText: "E2 pay" });
    expect(await row.innerText()).toContain("approved as changed");
    await row.locator("button").click();
    expect(await text(".block")).toMatch(/approved as changed at .*12:00 by Mia/);
    expect(await page.locator(".block h4").allInnerTexts()).toEqual(["As filled", "As changed"]);
    await page.locator(".tree li", { hasText: "E3 pay" }).locator("button").click();
    expect(await text(".block")).toMatch(/rejected at .*12:00 by Mia: On holiday/);
    expect(await page.locator(".tree li", { hasText: "E3 pay" }).locator("time").innerText()).toBe(
      "",
    );
    expect(await barriers(page)).toEqual([]);
  });

  it("say what a run waits for, in the tree and in the block", async () => {
    await open("/trace/waiting", { language: "zh-CN", theme: "dark" });
    await page.locator(".tree li", { hasText: "E3 pay" }).locator("button").click();
    expect(await page.locator(".tree .sign.asking").count()).toBe(3);
    expect(await text(".block .request")).toContain("等待人工");
    expect(await text(".block .request")).toContain('"amount": 7');
    expect(await barriers(page)).toEqual([]);
  });

  it("let the bar of a call under way grow with the clock", async () => {
    await open("/trace/under-way");
    const time = page.locator(".tree li").nth(1).locator("time");
    await expect.poll(() => time.innerText()).toMatch(/^\d+ s$/);
    const before = await time.innerText();
    await expect.poll(() => time.innerText(), { timeout: 5_000 }).not.toBe(before);
    const bar = page.locator(".tree li").nth(1).locator("rect");
    expect(Number(await bar.getAttribute("width"))).toBeGreaterThan(900);
  });

  it("say once why a run failed, and offer no workflow of one without a plan", async () => {
    await open("/trace/failed");
    await page.locator(".block").waitFor();
    expect((await text(".trace")).split(reason)).toHaveLength(2);
    expect(await text(".head")).toContain("failed · talk · react");
    expect(await page.getByRole("button", { name: "Keep as workflow" }).count()).toBe(0);
  });

  it("show a long question by its beginning, and all of it when asked", async () => {
    await open("/trace/long");
    expect((await text("h2")).length).toBeLessThan(201);
    expect((await page.title()).length).toBeLessThan(220);
    await page.getByRole("button", { name: "Show all" }).click();
    expect((await text(".head pre")).length).toBeGreaterThan(8_000);
    await page.goto("/runs");
    const link = page.getByRole("link", { name: "First and again" });
    const box = await link.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(24);
    expect(box?.height).toBeLessThan(40);
  });

  it("name a question with a file by its words, as the conversation does", async () => {
    await open("/trace/file");
    expect(await text("h2")).toBe("Add them up.");
    await page.goto("/chat");
    await page.locator("select").selectOption({ label: "desk" });
    await page.setInputFiles("input[type=file]", {
      name: "note.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Hello from\nthe file\n"),
    });
    await page.locator(".composer textarea").fill("What does it say?");
    await page.keyboard.press("Enter");
    await page.locator(".summary").waitFor();
    expect(await page.locator(".summary input").count()).toBe(0);
    await page.locator(".summary").getByRole("button", { name: "Bad" }).click();
    await page.getByLabel("Why?").fill("Too short");
    await page.keyboard.press("Enter");
    await page.getByText("Saved").waitFor();
    await page.locator(".summary a").click();
    await expect.poll(() => text("h2")).toBe("What does it say?");
    expect(await page.getByLabel("Why?").inputValue()).toBe("Too short");
    expect(await text(".head")).toContain("answered · desk · rewoo");
  });

  it("bring what was tapped into view on a phone", async () => {
    await open("/trace/decided", { width: 390 });
    await page.locator(".tree li button").last().click();
    const inView = async () => ((await page.locator(".block").boundingBox())?.y ?? 9_999) < 700;
    await expect.poll(inView).toBe(true);
    for (const each of await page.locator(".trace a, .trace button").all()) {
      expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    }
  });

  it("keep a judgement with its reason, by Enter and by the same button, and say when it is taken back", async () => {
    await open("/trace/long");
    const mark = async () => {
      const response = await page.request.get("/traces/long");
      const { run } = z
        .object({ run: z.object({ mark: z.unknown().optional() }) })
        .parse(await response.json());
      return run.mark;
    };
    const bad = page.getByRole("button", { name: "Bad" });
    const why = page.getByLabel("Why?");
    await bad.click();
    await page.getByText("Saved").waitFor();
    await why.fill("Too slow");
    await page.keyboard.press("Enter");
    await page.getByText("Saved").waitFor();
    expect(await mark()).toEqual({ verdict: "bad", why: "Too slow" });
    await page.reload();
    await expect.poll(() => why.inputValue()).toBe("Too slow");
    await why.fill("Wrong");
    await bad.click();
    await page.getByText("Saved").waitFor();
    expect(await mark()).toEqual({ verdict: "bad", why: "Wrong" });
    await bad.click();
    await page.getByText("Taken back").waitFor();
    expect(await mark()).toBeUndefined();
    await page.getByRole("button", { name: "Good" }).click();
    await page.getByText("Saved").waitFor();
    expect(await mark()).toEqual({ verdict: "good", why: "Wrong" });
  });

  it("keep their filters in the address, and say where there is no such run", async () => {
    await open("/runs");
    await page.getByRole("button", { name: "Week" }).click();
    await page.getByRole("button", { name: /^failed/ }).click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(await page.title()).toBe("Runs · plangraph");
    expect(new URL(page.url()).search).toBe("?time=week&outcome=failed");
    await page.getByRole("link", { name: "Where is it?" }).click();
    await page.locator(".block").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Week", pressed: true }).waitFor();
    await page.getByRole("button", { name: /^failed/, pressed: true }).waitFor();
    await page.getByRole("button", { name: "pay", exact: true }).click();
    await page.getByText("No runs with these filters.").waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it("say what runs do that have not ended, and count what people refused apart", async () => {
    await open("/runs");
    await rows().first().waitFor();
    const cells = async (question: string) =>
      page.locator("tr", { hasText: question }).first().locator("td").allInnerTexts();
    expect((await cells("Look it up."))[4]).toBe("under way");
    expect((await cells("Where is it?")).slice(2, 5)).toEqual(["talk", "failed", "1.2 s"]);
    const waiting = page.locator("tr", { hasText: "waits for a person" });
    expect((await waiting.locator("td").allInnerTexts())[4]).toBe("waits");
    const pay = page.locator("tr", { has: page.getByRole("button", { name: "pay", exact: true }) });
    expect((await pay.locator("td").allInnerTexts()).slice(1, 3)).toEqual(["2", "0"]);
    expect(await pay.innerText()).toContain("1 refused by a person");
  });

  it("show what has come since when the time is chosen again, without losing the place", async () => {
    await open("/runs?time=hour&outcome=failed");
    await rows().first().waitFor();
    await page.getByRole("link", { name: "Where is it?" }).focus();
    await keep(
      "later",
      runOf("talk", "And now?", (at) => ({ at: at + 10, type: "run_stopped", reason: "error" })),
    );
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("button", { name: /^broke off 1/ }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Where is it?");
    await page.getByRole("button", { name: /^broke off/ }).click();
    await page.getByRole("link", { name: "And now?" }).waitFor();
  });
});
