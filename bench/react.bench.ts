// Overhead of the ReAct graph per model step, beside a bare LangGraph loop and LangChain's createAgent,
// on the same scripted server in the same run: `npm run bench`. The ratios are medians over
// the rounds, in each of which every contender runs once: quote these, the times depend on the machine.
import { contenders, server } from "./contenders.js";
import { median } from "./median.js";
import { timesOf } from "./rounds.js";

const stepCounts = [1, 10, 50];

console.log(`| steps | contender | ms a run | ms a model step | to bare loop | to createAgent |`);
console.log(`| --- | --- | --- | --- | --- | --- |`);
for (const steps of stepCounts) {
  const times = await timesOf(contenders, steps);
  for (const [name] of contenders) {
    const own = times[name] ?? [];
    const ratio = (to: string) => median(own.map((ms, at) => ms / (times[to]?.[at] ?? Number.NaN)));
    const ms = median(own);
    const figures = [ms.toFixed(1), (ms / (steps + 1)).toFixed(2)];
    const ratios = [ratio("bare loop").toFixed(2), ratio("createAgent").toFixed(2)];
    console.log(`| ${[steps, name, ...figures, ...ratios].join(" | ")} |`);
  }
}
await server.close();
