import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";

import { errorsIn, hasBrowser, openPage } from "../support/browser.js";
import { servePages } from "../support/served-pages.js";

let page: Page;

const site = servePages(["desk"]);
afterEach(async () => {
  const errors = errorsIn(page);
  await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});

const list = { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("tea,3\nmilk,2\n") };

/** Opens the page, with a script that runs before its own. */
async function openChat(script = ""): Promise<void> {
  page = await openPage(site.browser, site.server.url);
  await page.addInitScript(script);
  await page.goto("/chat");
}

async function text(selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replaceAll(/\s+/g, " ");
}

describe.skipIf(!hasBrowser)("files of a question", () => {
  it("shows a file of text by its name, also when it is loaded again, and keeps it for an edited question", async () => {
    await openChat();
    await page.setInputFiles("input[type=file]", list);
    await page.locator(".composer textarea").fill("Add them up.");
    await page.keyboard.press("Enter");
    await page.locator(".summary").waitFor();
    await page.reload();
    await page.locator(".answer").waitFor();
    expect(await text(".bubble")).toBe("list.csv Add them up.");
    await page.getByRole("button", { name: "Edit and ask again" }).click();
    await page.getByLabel("Edit and ask again").fill("Take them apart.");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator(".bubble", { hasText: "Take them apart." }).waitFor();
    await page.locator(".answer").waitFor();
    await page.reload();
    await page.locator(".answer").waitFor();
    expect(await text(".bubble")).toBe("list.csv Take them apart.");
  });

  it("sends a question that was sent early when its file is read, with the file", async () => {
    // A file on a slow disk: it is read when the test says so.
    await openChat(`{
      const read = FileReader.prototype.readAsDataURL;
      FileReader.prototype.readAsDataURL = function (file) {
        globalThis.letRead = () => read.call(this, file);
      };
    }`);
    await page.setInputFiles("input[type=file]", list);
    await page.locator(".composer textarea").fill("Add them up.");
    await page.keyboard.press("Enter");
    await page.locator(".composer", { hasText: "as soon as its files are read" }).waitFor();
    expect(await page.locator(".question").count()).toBe(0);
    await page.waitForFunction("'letRead' in globalThis");
    await page.evaluate("letRead()");
    await page.locator(".summary").waitFor();
    expect(await text(".bubble")).toBe("list.csv Add them up.");
  });

  it("keeps a question whose file cannot be read, and says so", async () => {
    await openChat(`
      FileReader.prototype.readAsDataURL = function () {
        setTimeout(() => this.dispatchEvent(new Event("loadend")));
      };
    `);
    await page.locator(".composer textarea").fill("Add them up.");
    await page.setInputFiles("input[type=file]", list);
    await page.keyboard.press("Enter");
    await page
      .locator(".problem", { hasText: "Could not be read, and left out: list.csv" })
      .waitFor();
    expect(await page.locator(".question").count()).toBe(0);
    expect(await page.locator(".composer textarea").inputValue()).toBe("Add them up.");
  });
});
