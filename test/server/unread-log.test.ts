import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, it } from "vitest";

import { cpuOf } from "../support/cpu.js";
import { isUp } from "../support/dev-server.js";
import { fillFolder } from "../support/embedded-folder.js";
import { startServerProcess } from "../support/plangraph-server.js";

it("a server whose log nobody reads any more goes on, and has nothing to do", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plangraph-unread-"));
  await fillFolder(join(folder, "data"));
  const server = await startServerProcess({
    kind: "server",
    data: join(folder, "data"),
    cwd: folder,
    graphs: { worker: `${resolve("test/support/worked-graphs.ts")}:worker` },
    environment: { OPENAI_API_KEY: "any", LOG_LEVEL: "info" },
  });
  try {
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    for (let asked = 0; asked < 3; asked += 1) await server.client.threads.search();
    await sleep(500);
    const before = await cpuOf([server.process.pid]);
    await sleep(2_000);
    expect((await cpuOf([server.process.pid])) - before).toBeLessThan(1);
    expect(await isUp(server.url)).toBe(true);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}, 90_000);
