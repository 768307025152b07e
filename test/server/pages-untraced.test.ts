import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Browser, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { errorsIn, hasBrowser, openBrowser, openPage } from "../support/browser.js";
import { fillFolder } from "../support/embedded-folder.js";
import {
  buildServedPage,
  type ServerProcess,
  startServerProcess,
} from "../support/plangraph-server.js";

let data: string;
let server: ServerProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  await buildServedPage();
  data = await mkdtemp(join(tmpdir(), "plangraph-untraced-"));
  await fillFolder(data);
  const place = fileURLToPath(new URL("../support/page-graphs.ts", import.meta.url));
  server = await startServerProcess({
    kind: "server",
    cwd: data,
    data,
    pages: {},
    graphs: { desk: `${place}:desk` },
    environment: { PAID_FILE: join(data, "paid.txt") },
  });
  browser = await openBrowser();
}, 120_000);
afterEach(async () => {
  const errors = errorsIn(page);
  await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});
afterAll(async () => {
  if (!hasBrowser) return;
  await browser.close();
  await server.kill();
  await rm(data, { recursive: true, force: true });
}, 60_000);

describe.skipIf(!hasBrowser)("the page of a server that keeps no traces", () => {
  it("shows the plan of a run that waits, also when it is loaded again, and what becomes of it", async () => {
    page = await openPage(browser, server.url, {});
    await page.goto("/chat");
    await page.locator(".composer textarea").fill("two");
    await page.keyboard.press("Enter");
    await page.locator(".request").nth(1).waitFor();
    const before = await page.locator(".plan").innerText();
    await page.reload();
    await page.locator(".request").nth(1).waitFor();
    await page.locator(".plan").waitFor();
    expect(await page.locator(".plan").innerText()).toBe(before);
    const other = await openPage(browser, server.url);
    await other.goto(page.url());
    await other.locator(".plan").waitFor();
    await page.getByRole("button", { name: "Approve all 2" }).click();
    for (const each of [page, other]) await each.getByPlaceholder("Your answer…").waitFor();
    for (const each of [page, other]) {
      expect(await each.locator(".plan").innerText()).toContain("Find who is paid");
    }
    expect(errorsIn(other)).toEqual([]);
    await other.context().close();
  });
});
