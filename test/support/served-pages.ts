import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

import type { CreateServerOptions } from "../../src/server/index.js";
import { hasBrowser, openBrowser } from "./browser.js";
import { fillFolder } from "./embedded-folder.js";
import { buildServedPage, type ServerProcess, startServerProcess } from "./plangraph-server.js";

/** A server of `page-graphs.ts` with a browser, for the tests of a file. */
export type Site = {
  /** The folder of its data; what was paid is in `paid.txt`. */
  readonly data: string;
  readonly server: ServerProcess;
  readonly browser: Browser;
};

type Options = Omit<CreateServerOptions, "graphs">;

/** Serves these graphs before the tests of a file, with these options of a server; nothing without a browser. */
export function servePages(
  graphs: readonly string[],
  optionsIn: (data: string) => Promise<Options> = () => Promise.resolve({}),
): Site {
  let data = "";
  let server: ServerProcess;
  let browser: Browser;
  beforeAll(async () => {
    if (!hasBrowser) return;
    await buildServedPage();
    data = await mkdtemp(join(tmpdir(), "plangraph-pages-"));
    await fillFolder(data);
    const place = fileURLToPath(new URL("page-graphs.ts", import.meta.url));
    server = await startServerProcess({
      kind: "server",
      cwd: data,
      data,
      pages: {},
      ...(await optionsIn(data)),
      graphs: Object.fromEntries(graphs.map((name) => [name, `${place}:${name}`])),
      environment: { PAID_FILE: join(data, "paid.txt") },
    });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    if (!hasBrowser) return;
    await browser.close();
    await server.kill();
    await rm(data, { recursive: true, force: true });
  }, 60_000);
  return {
    get data() {
      return data;
    },
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
  };
}
