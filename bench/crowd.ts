// Peak memory of many runs side by side: `npm run bench:crowd`. Each contender has a process of its own, in which 200
// runs of 10 steps begin at once; printed is the largest resident set of the process.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { median } from "./median.js";
import { tableOf } from "./table.js";

const crowd = 200;
const steps = 10;
const names = ["bare loop", "createAgent", "plangraph"];
const [asked] = process.argv.slice(2);

/** The largest resident set of a process of its own, in megabytes. */
function peakOf(name: string): number {
  const own = [...process.execArgv, fileURLToPath(import.meta.url), name];
  const { stdout, stderr, status } = spawnSync(process.execPath, own, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

if (asked === undefined) {
  const rows = names.map((name) => [name, median([1, 2, 3].map(() => peakOf(name))).toFixed(0)]);
  console.log(tableOf(["contender", `MB at most, ${crowd} runs side by side`], rows));
} else {
  const { contenders, question, server } = await import("./contenders.js");
  const run = contenders.find(([name]) => name === asked)?.[1];
  if (run === undefined)
    throw new Error(`There is no contender "${asked}", only ${names.join(", ")}.`);
  await Promise.all(Array.from({ length: crowd }, () => run(question(steps))));
  console.log(process.resourceUsage().maxRSS / 1_024);
  await server.close();
}
