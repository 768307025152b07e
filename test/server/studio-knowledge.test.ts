import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import { openKnowledge } from "../../src/knowledge/index.js";
import { assistant } from "../../src/server/studio.js";

const folder = mkdtempSync(join(tmpdir(), "plangraph-studio-"));

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the server's knowledge base", () => {
  it.each([
    { place: join(folder, "mistyped.db"), code: "unreadable_file" },
    { place: "mysql://user:hunter2@host/shop", code: "invalid_option" },
  ])("is not made where nothing is: $code", async ({ place, code }) => {
    vi.stubEnv("PLANGRAPH_KNOWLEDGE", place);
    const opened = assistant();
    await expect(opened).rejects.toMatchObject({ code });
    await expect(opened).rejects.not.toThrow(/hunter2/);
  });

  it("is the file that the environment names, once it is there", async () => {
    const file = join(folder, "shop.db");
    vi.stubEnv("PLANGRAPH_KNOWLEDGE", file);
    await expect(assistant()).rejects.toMatchObject({ code: "unreadable_file" });
    const base = await openKnowledge({ file });
    await base.ingest([{ name: "a.md", content: "# Tea\n\nTea costs 3 euros a packet." }]);
    await base.close();
    const graph = await assistant();
    const result = await graph.invoke({
      messages: [{ role: "user", content: "What does tea cost?" }],
    });
    expect(result.answer).toContain("3 euros");
  });
});
