import type { Page, Route } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";

import { errorsIn, hasBrowser, openPage, takeErrors } from "../support/browser.js";
import { servePages } from "../support/served-pages.js";

let page: Page;

const site = servePages(["desk"]);
afterEach(async () => {
  const errors = errorsIn(page);
  await page.context().close();
  if (errors.length > 0) throw new Error(errors.join("\n"));
});

async function open(): Promise<void> {
  page = await openPage(site.browser, site.server.url);
  await page.goto("/chat");
}

async function ask(question: string): Promise<void> {
  await page.locator(".composer textarea").fill(question);
  await page.keyboard.press("Enter");
}

describe.skipIf(!hasBrowser)("the page of a server that keeps no traces", () => {
  it("shows the plan of a run that waits, also when it is loaded again, and what becomes of it", async () => {
    await open();
    await ask("two");
    await page.locator(".request").nth(1).waitFor();
    const before = await page.locator(".plan").innerText();
    await page.reload();
    await page.locator(".request").nth(1).waitFor();
    await page.locator(".plan").waitFor();
    expect(await page.locator(".plan").innerText()).toBe(before);
    const other = await openPage(site.browser, site.server.url);
    await other.goto(page.url());
    await other.locator(".plan").waitFor();
    await page.getByRole("button", { name: "Approve all 2" }).click();
    for (const each of [page, other]) await each.getByPlaceholder("Your answer…").waitFor();
    for (const each of [page, other]) {
      expect(await each.locator(".plan").innerText()).toContain("Find who is paid");
    }
    await page.getByPlaceholder("Your answer…").fill("Ann's");
    await page.keyboard.press("Enter");
    await page.locator(".summary").waitFor();
    await page.waitForTimeout(500);
    expect(await page.locator(".summary").innerText()).not.toContain("What happened");
    expect(errorsIn(other)).toEqual([]);
    await other.context().close();
  });

  it.each([
    { name: "before they are there", answer: (route: Route) => route.continue() },
    { name: "after they could not be read", answer: (route: Route) => route.abort() },
  ])("asks the first of its graphs $name", async ({ answer }) => {
    page = await openPage(site.browser, site.server.url);
    await page.route(
      "**/assistants/search",
      async (route) => {
        await page.waitForTimeout(1_500);
        await answer(route);
      },
      { times: 1 },
    );
    await page.goto("/chat");
    await ask("ask");
    await page.locator(".alert, .turn").first().waitFor();
    if ((await page.locator(".alert").count()) > 0) await page.keyboard.press("Enter");
    await page.getByPlaceholder("Your answer…").waitFor();
    expect(await page.locator(".turn").count()).toBe(1);
    expect(await page.locator(".alert").count()).toBe(0);
  });

  it("says until when an approval is valid, and lets nobody approve what is too late", async () => {
    await open();
    await ask("today");
    const [asked, approve] = [
      page.locator(".request"),
      page.getByRole("button", { name: "Approve" }),
    ];
    await asked.waitFor();
    expect(await asked.innerText()).toContain("Valid until ");
    expect(await approve.isEnabled()).toBe(true);
    await page.locator(".composer textarea").fill("yes");
    await page.getByText("What waits above is decided there.").waitFor();
    await page.getByText("Too late: this will not be carried out any more.").waitFor();
    expect(await approve.isEnabled()).toBe(false);
    await page.getByRole("button", { name: "Reject" }).click();
    await page.keyboard.press("Enter");
    await page.locator(".answer").waitFor();
    expect(await page.locator(".plan").innerText()).not.toContain("Paid.");
  });

  it("lists 50 conversations, and more when asked; says when one could not be deleted", async () => {
    for (let made = 0; made < 52; made += 1) {
      await site.server.client.threads.create({ metadata: { title: `Old ${made}` } });
    }
    await open();
    const listed = page.locator(".threads li");
    await expect.poll(() => listed.count()).toBe(50);
    await page.getByRole("button", { name: "Show older ones" }).click();
    await expect.poll(() => listed.count()).toBeGreaterThan(51);
    expect(await page.getByRole("button", { name: "Show older ones" }).count()).toBe(0);
    const remove = page.getByRole("button", { name: "Delete this conversation: Old 51" });
    // Two quick clicks in one place keep it.
    await remove.dblclick();
    expect(await remove.count()).toBe(1);
    const forGood = page.getByRole("button", { name: "Delete it for good?" });
    await page.route("**/threads/*", (route) => route.fulfill({ status: 500, body: "{}" }));
    await remove.click();
    await forGood.click();
    await page.locator(".threads .alert").waitFor();
    expect(await page.getByRole("link", { name: /^Old 51/ }).count()).toBe(1);
    await page.unroute("**/threads/*");
    await remove.click();
    await forGood.click();
    await expect.poll(() => page.getByRole("link", { name: /^Old 51/ }).count()).toBe(0);
    await page.getByRole("searchbox").fill("old 4");
    expect(await listed.count()).toBe(11);
    takeErrors(page);
  });
});
