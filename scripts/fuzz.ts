// Every reader of a model's text over mutated real replies: `npm run fuzz`, `npm run fuzz -- 50000 3` for a number of
// replies and a seed. It fails where a reader throws or takes longer than the bound.
import { tableOf } from "../bench/table.js";
import { mutatedReplies, readers } from "../test/fuzz/readers.js";

/** Milliseconds of processor time for 10 kB, the best of three readings; shorter replies count as 10 kB. */
const maxMs = 50;
const [count = 20_000, seed = 1] = process.argv.slice(2).map(Number);

/** By the time of the processor: what else runs on the machine does not count. */
async function msOf(read: (text: string) => unknown, text: string): Promise<number> {
  const before = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / Math.max(1, text.length / 10_000);
}

const totals = readers.map((reader) => ({ ...reader, ms: 0, worst: 0, input: "", throws: 0 }));
let chars = 0;
for (const text of mutatedReplies(count, seed)) {
  chars += text.length;
  for (const total of totals) {
    try {
      const ms = await msOf(total.read, text);
      total.ms += ms * Math.max(1, text.length / 10_000);
      if (ms <= total.worst) continue;
      const again = [ms];
      if (ms > 5) again.push(await msOf(total.read, text), await msOf(total.read, text));
      const best = Math.min(...again);
      if (best > total.worst) Object.assign(total, { worst: best, input: text });
    } catch (error) {
      total.throws += 1;
      console.error(`${total.name} threw ${String(error)} on ${JSON.stringify(text)}`);
    }
  }
}

const rows = totals.map(({ name, ms, worst, throws, input }) => [
  name,
  ((ms / chars) * 10_000).toFixed(2),
  worst.toFixed(1),
  String(input.length),
  String(throws),
]);
const columns = ["reader", "ms per 10 kB", "worst", "characters of the worst", "throws"];
console.log(`${count} replies, ${chars} characters, seed ${seed}`);
console.log(tableOf(columns, rows));
const slow = totals.filter(({ worst, throws }) => worst > maxMs || throws > 0);
for (const { name, worst, input } of slow) {
  console.error(`${name}: ${worst.toFixed(0)} ms per 10 kB on ${JSON.stringify(input)}`);
}
if (slow.length > 0) process.exitCode = 1;
