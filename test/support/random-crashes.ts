import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { bundledProgram } from "./bundled-program.js";
import type { CrashCase } from "./crash-case.js";
import { type CrashFigures, judgeCrashes } from "./crash-checks.js";
import { readEntries, writeEntry } from "./crash-log.js";

/** A run ends before this many starts, or something is wrong. */
const maxStarts = 60;
/** After so many kills a run is left alone until it ends. */
const maxKills = 4;

let program: Promise<string> | undefined;

/** What happened in all the runs of one case, in figures. */
export type CaseFigures = CrashFigures & { readonly runs: number };

/**
 * Runs a case once undisturbed, and then again and again, each time killed at random until it ends, until there were
 * so many kills. The same seed gives the same delays.
 */
export async function crashAtRandom(
  given: CrashCase,
  { kills, seed }: { readonly kills: number; readonly seed: string },
): Promise<CaseFigures> {
  const undisturbed = await runThrough(given, () => undefined);
  const random = fractions(seed);
  let left = kills;
  const atFirst = judgeCrashes(undisturbed.log, undisturbed.log, given.decision);
  let total: CaseFigures = { ...atFirst, runs: 0, equal: 0 };
  while (left > 0) {
    let inRun = 0;
    const { log } = await runThrough(given, () => {
      if (left - inRun <= 0 || inRun >= maxKills) return undefined;
      inRun += 1;
      // Short delays bring more kills a run, long ones reach its end.
      return undisturbed.ms * random() * (random() < 0.4 ? 1 / 3 : 1);
    });
    const figures = judgeCrashes(log, undisturbed.log, given.decision);
    left -= log.filter(({ kind }) => kind === "killed").length;
    total = sumOf(total, figures);
  }
  return total;
}

function sumOf(total: CaseFigures, added: CrashFigures): CaseFigures {
  const { write, call, model, elsewhere } = added.kills;
  return {
    runs: total.runs + 1,
    kills: {
      write: total.kills.write + write,
      call: total.kills.call + call,
      model: total.kills.model + model,
      elsewhere: total.kills.elsewhere + elsewhere,
    },
    repeated: total.repeated + added.repeated,
    lost: total.lost + added.lost,
    lostMs: Math.max(total.lostMs, added.lostMs),
    asked: total.asked + added.asked,
    equal: total.equal + added.equal,
    problems: [...total.problems, ...added.problems],
  };
}

/** Numbers from 0 up to 1, the same for the same seed. */
function fractions(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return Number.parseInt(hash("sha256", `${seed} ${count}`).slice(0, 8), 16) / 2 ** 32;
  };
}

/** Starts the program until its run has ended; `delay` says after how long each start is killed, if at all. */
async function runThrough(given: CrashCase, delay: () => number | undefined) {
  const folder = mkdtempSync(join(tmpdir(), "plangraph-crashes-"));
  try {
    let ms = 0;
    let decisions: readonly string[] = [];
    for (let process = 1; process <= maxStarts; process += 1) {
      const started = await startOnce(given, { folder, process, decisions, delay });
      ms = started.ms;
      const log = readEntries(folder);
      if (log.some(({ kind }) => kind === "finished_again")) return { log, ms };
      const asked = log.filter((entry) => entry.kind === "asked" && entry.process === process);
      decisions = started.isKilled ? [] : asked.map(() => given.decision);
      for (const { tool } of decisions.includes("approve") ? asked : []) {
        writeEntry(folder, { kind: "approved", process: process + 1, tool });
      }
    }
    throw new Error(`a run did not end in ${maxStarts} starts`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Start = {
  readonly folder: string;
  readonly process: number;
  readonly decisions: readonly string[];
  readonly delay: () => number | undefined;
};

/** Starts the program once, and kills it a while after it is ready. */
async function startOnce(given: CrashCase, { folder, process: at, decisions, delay }: Start) {
  program ??= bundledProgram("random-crash-child.ts");
  const options = [folder, String(at), JSON.stringify(given), decisions.join(",")];
  const child = spawn(process.execPath, [await program, ...options]);
  let told = "";
  child.stderr.on("data", (text) => (told += String(text)));
  const exit = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exit]);
  const ready = Date.now();
  const wait = delay();
  let killedAt = ready;
  const kill = () => {
    killedAt = Date.now();
    child.kill("SIGKILL");
  };
  const timer = wait === undefined ? undefined : setTimeout(kill, wait);
  await exit;
  clearTimeout(timer);
  const isKilled = child.signalCode === "SIGKILL";
  if (isKilled) writeEntry(folder, { kind: "killed", process: at, at: killedAt });
  else if (child.exitCode !== 0) throw new Error(`the program failed: ${told}`);
  return { isKilled, ms: Date.now() - ready };
}

/** How often programs were killed. */
export function killsOf({ kills }: Pick<CrashFigures, "kills">): number {
  return kills.write + kills.call + kills.model + kills.elsewhere;
}
