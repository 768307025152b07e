import { existsSync } from "node:fs";

import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";

/** Debian's Chromium. */
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);

/** Whether there is a browser; without one, what needs it is skipped. */
export const hasBrowser = executablePath !== undefined;

/** Starts the browser, without a window. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
}

/** How a page is looked at. */
export type Look = {
  readonly language?: "en-US" | "zh-CN";
  readonly theme?: "light" | "dark";
  readonly width?: number;
};

/** A page of its own, which fails its test for any error in it. */
export async function openPage(browser: Browser, url: string, look: Look = {}): Promise<Page> {
  const { language = "en-US", theme = "light", width = 1_280 } = look;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: 800 },
    locale: language,
    colorScheme: theme,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  pageErrors.set(page, errors);
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => {
    const isRefusal = message.text().includes("Failed to load resource");
    if (message.type() === "error" && !isRefusal) errors.push(message.text());
  });
  return page;
}

const pageErrors = new WeakMap<Page, string[]>();

/** The errors in a page so far, which are expected. */
export function takeErrors(page: Page): readonly string[] {
  return pageErrors.get(page)?.splice(0) ?? [];
}

/** The errors in a page so far. */
export function errorsIn(page: Page): readonly string[] {
  return pageErrors.get(page) ?? [];
}

const Violations = z.array(z.object({ id: z.string(), impact: z.string().nullish() }));

/** What axe finds that keeps people out of a page. */
export async function barriers(page: Page): Promise<readonly string[]> {
  // The page lets no script in from elsewhere: this one comes as from the browser's own tools.
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate("axe.run().then(({ violations }) => violations)");
  return Violations.parse(found)
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id }) => id);
}
