import { appendFileSync, existsSync, writeFileSync } from "node:fs";

import { tool } from "@langchain/core/tools";
import { z } from "zod";

/** A tool that writes its runs down in a folder, and the first time it is the one to `killIn` kills the program. */
export function killingTool(name: string, folder: string, killIn: string) {
  return tool(
    async ({ item }) => {
      const mark = `${folder}/killed`;
      if (name === killIn && !existsSync(mark)) {
        // Slow enough for the finished neighbours to be on record.
        await new Promise((resolve) => setTimeout(resolve, 300));
        writeFileSync(mark, "");
        appendFileSync(`${folder}/runs.log`, `${name} ${item} (killed)\n`);
        process.kill(process.pid, "SIGKILL");
      }
      appendFileSync(`${folder}/runs.log`, `${name} ${item}\n`);
      return `${name} of ${item}`;
    },
    { name, description: `The ${name}.`, schema: z.object({ item: z.string() }) },
  );
}
