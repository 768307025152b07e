import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createPages } from "../../src/server/index.js";
import { errorsIn, hasBrowser, openBrowser, openPage } from "../support/browser.js";
import { bundledServer } from "../support/bundled-program.js";
import { type DevServer, serveFolder } from "../support/dev-server.js";
import { buildServedPage } from "../support/plangraph-server.js";

describe("the pages in LangGraph's own server", () => {
  let server: DevServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    await buildServedPage();
    const bundle = await bundledServer(["test/support/mounted-pages.ts"]);
    const folder = await mkdtemp(join(tmpdir(), "plangraph-mounted-"));
    const at = (name: string) => `${relative(folder, join(bundle, "mounted-pages.mjs"))}:${name}`;
    const config = join(folder, "langgraph.json");
    const content = {
      node_version: "20",
      dependencies: ["."],
      graphs: { paying: at("paying") },
      env: ".env",
      http: { app: at("app") },
    };
    await writeFile(config, JSON.stringify(content));
    await writeFile(join(folder, ".env"), "");
    server = await serveFolder(folder, config, { TRACES: join(folder, "traces.db") });
    if (hasBrowser) browser = await openBrowser();
  }, 120_000);
  const client = () => {
    if (server === undefined) throw new Error("There is no server.");
    return server.client;
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server?.url}${path}`, { headers });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  }, 60_000);

  it.skipIf(!hasBrowser)("show a plan, take an approval, and say what happened", async () => {
    if (browser === undefined) return;
    const page = await openPage(browser, server?.url ?? "");
    await page.goto("/");
    expect(new URL(page.url()).pathname).toBe("/chat");
    await page.locator(".composer textarea").fill("Pay Ann");
    await page.keyboard.press("Enter");
    await page.locator(".request").waitFor();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator(".summary").waitFor();
    expect(await page.locator(".answer").innerText()).toBe("Ann is paid.");
    await page.getByRole("link", { name: "What happened" }).click();
    await page.locator(".tree li").first().waitFor();
    await page.goto("/runs");
    await page.locator(".runs table").last().locator("tbody tr").first().waitFor();
    expect(errorsIn(page)).toEqual([]);
    await page.context().close();
  });

  it("leave the API as it is, and are refused to other origins and hosts", async () => {
    const assistants = await client().assistants.search();
    expect(assistants.map(({ graph_id: id }) => id)).toEqual(["paying"]);
    const evil = { origin: "https://evil.example" };
    expect((await get("/traces")).status).toBe(200);
    expect((await get("/traces/none")).status).toBe(404);
    expect((await get("/traces", evil)).status).toBe(403);
    expect((await get("/chat", evil)).status).toBe(403);
    expect((await get("/page/none.js")).status).toBe(404);
    const asked = request(`${server?.url}/traces`, { headers: { host: "evil.example" } }).end();
    const [answer]: unknown[] = await once(asked, "response");
    expect(answer).toMatchObject({ statusCode: 403 });
  });

  it("show a run as long as the API shows its thread", async () => {
    const { thread_id: thread } = await client().threads.create();
    const input = { messages: [{ role: "user", content: "Pay Ann" }] };
    await client().runs.wait(thread, "paying", { input });
    const runs = async () => (await get(`/traces?thread=${thread}`)).text();
    await expect.poll(runs).toContain(thread);
    await client().threads.delete(thread);
    expect(JSON.parse(await runs())).toEqual({ runs: [] });
  });
});

it.each([
  { name: "a misspelt option", options: { trace: "a.db" }, told: /Did you mean traces\?/ },
  {
    name: "a link to nothing",
    options: { traceLink: "javascript:1" },
    told: /createPages\.traceLink: expected an http or https address/,
  },
])("pages are not made with $name", async ({ options, told }) => {
  await expect(Reflect.apply(createPages, undefined, [options])).rejects.toThrow(told);
});
