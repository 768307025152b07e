import { type Contender, question } from "./contenders.js";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15);
const warmUps = 3;

/** Who begins changes: what one leaves behind is collected in the time of the next. */
function inTurn(contenders: readonly Contender[], round: number): readonly Contender[] {
  const first = round % contenders.length;
  return [...contenders.slice(first), ...contenders.slice(0, first)];
}

async function timed(run: Contender[1], steps: number): Promise<number> {
  const started = performance.now();
  await run(question(steps));
  return performance.now() - started;
}

/** The milliseconds of every round of each contender, by name. In each round every contender runs once. */
export async function timesOf(
  contenders: readonly Contender[],
  steps: number,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [name, run] of inTurn(contenders, round)) {
      const ms = await timed(run, steps);
      if (round >= warmUps) (times[name] ??= []).push(ms);
    }
  }
  return times;
}
