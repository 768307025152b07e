// Overhead of the ReAct graph per model step, beside a bare LangGraph loop and LangChain's createAgent,
// on the same scripted server in the same run: `npm run bench`. The ratios are medians over
// the rounds, in each of which every contender runs once: quote these, the times depend on the machine.
import { contenders, type Contender, question, server } from "./contenders.js";
import { median } from "./median.js";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15);
const warmUps = 3;
const stepCounts = [1, 10, 50];

/** Who begins changes: what one leaves behind is collected in the time of the next. */
function inTurn(round: number): readonly Contender[] {
  const first = round % contenders.length;
  return [...contenders.slice(first), ...contenders.slice(0, first)];
}

async function timed(run: Contender[1], steps: number): Promise<number> {
  const started = performance.now();
  await run(question(steps));
  return performance.now() - started;
}

console.log(`| steps | contender | ms a run | ms a model step | to bare loop | to createAgent |`);
console.log(`| --- | --- | --- | --- | --- | --- |`);
for (const steps of stepCounts) {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [name, run] of inTurn(round)) {
      const ms = await timed(run, steps);
      if (round >= warmUps) (times[name] ??= []).push(ms);
    }
  }
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
