import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";

import { errorsIn, hasBrowser, openPage } from "../support/browser.js";
import { openCutProxy } from "../support/cut-proxy.js";
import { keepLongRun } from "../support/long-run.js";
import { servePages } from "../support/served-pages.js";

// What people see whose network is slow or fails, and whose runs are long.

const site = servePages(["desk"], (data) => Promise.resolve({ traces: join(data, "traces.db") }));

let page: Page;
afterEach(async () => {
  const errors = errorsIn(page);
  await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});

async function ask(question: string): Promise<void> {
  await page.locator(".composer textarea").fill(question);
  await page.keyboard.press("Enter");
}

describe.skipIf(!hasBrowser)("the page on a bad network", () => {
  it("tries again where a connection stays open and nothing comes over it any more", async () => {
    const way = await openCutProxy(site.server.url);
    page = await openPage(site.browser, way.url);
    await page.clock.install();
    await page.goto("/chat");
    await ask("slow");
    await page.locator(".step.running").waitFor();
    way.freeze();
    await page.clock.fastForward(46_000);
    await page.getByText("The connection was lost").waitFor();
    // The browser may take other connections that are dead, too, until each is given up.
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(16_000);
          return page.locator(".summary").count();
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(1);
    expect(await page.locator(".answer").innerText()).toBe("All of it is done.");
    expect(await page.getByText("The connection was lost").count()).toBe(0);
  });

  it("says what it waits for over a slow one, and takes an approval once", async () => {
    page = await openPage(site.browser, site.server.url);
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000 };
    await session.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: 20_000 });
    await page.goto("/chat");
    await ask("one");
    await page.locator(".turn .question", { hasText: "one" }).waitFor();
    await page.locator(".request").waitFor();
    const approve = page.getByRole("button", { name: "Approve", exact: true });
    await approve.dblclick();
    await page.locator(".summary").waitFor();
    expect(await page.locator(".plan h3").innerText()).toContain("1 done");
    expect(await page.locator(".alert").count()).toBe(0);
  });

  it("draws a run of 10,000 events, and finds its end by keys", async () => {
    await keepLongRun(join(site.data, "traces.db"), 5_000);
    page = await openPage(site.browser, site.server.url);
    await page.goto("/trace/long");
    const parts = page.locator(".tree li");
    await expect.poll(() => parts.count()).toBe(300);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => page.locator(".block").innerText()).toContain("work");
    await page.goto("/runs");
    await page.locator(".runs table").last().locator("tbody tr").first().waitFor();
  });
});
