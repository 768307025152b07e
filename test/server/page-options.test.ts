import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { pageFile } from "../../src/server/pages/page-files.js";
import { checkPages, linkOf } from "../../src/server/pages/page-options.js";

/** How the operator's module is served. */
async function served(components: string | undefined) {
  const response = await pageFile({ method: "GET", path: "/page/components.js" }, components);
  return [response?.status, response?.headers.get("content-type"), await response?.text()];
}

describe("the address of a run in another back end", () => {
  it.each([
    ["https://traces.example/runs/{run}", "https://traces.example/runs/r%2F1"],
    ["https://traces.example/t/{thread}?run={run}", "https://traces.example/t/t%3F1?run=r%2F1"],
  ])("is %s with the ids", (template, link) => {
    expect(linkOf(template, { id: "r/1", threadId: "t?1" })).toBe(link);
  });

  it.each([
    ["without a place for an id", "https://traces.example/runs"],
    ["a script", "javascript:alert('{run}')"],
    ["data", "data:text/html,{run}"],
    ["no address", "traces/{run}"],
    ["nothing", ""],
  ])("is none: %s", async (_, template) => {
    expect(linkOf(template, { id: "r", threadId: "t" })).toBeUndefined();
    await expect(checkPages("pages", { traceLink: template })).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("pages.traceLink: expected an http or https address"),
    });
  });

  it("is none for a run without the thread that it needs", () => {
    expect(linkOf("https://traces.example/{thread}", { id: "r" })).toBeUndefined();
  });
});

describe("the operator's components", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "plangraph-components-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const script = "text/javascript; charset=utf-8";

  it("are a module without any where there are none", async () => {
    expect(await served(undefined)).toEqual([200, script, "export default {};\n"]);
  });

  it("are served as they are in their file", async () => {
    const file = join(folder, "mine.js");
    await writeFile(file, "export default { Map: () => 'map' };\n");
    await checkPages("pages", { components: file });
    expect(await served(file)).toEqual([200, script, "export default { Map: () => 'map' };\n"]);
  });

  it("cannot be in a file that is not there", async () => {
    await expect(
      checkPages("pages", { components: join(folder, "none.js") }),
    ).rejects.toMatchObject({
      code: "unreadable_file",
      message: expect.stringContaining("The components of the pages cannot be read: ENOENT"),
    });
  });
});
