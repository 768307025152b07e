import { readdir, readFile } from "node:fs/promises";

/** Clock ticks a second of Linux. */
const ticks = 100;

/** The seconds of a processor that processes have used, with those of their children that have ended. */
export async function cpuOf(pids: readonly (number | string | undefined)[]): Promise<number> {
  const used = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The name of the program may have spaces: what comes after it is counted.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / ticks;
  });
  const all = await Promise.all(used);
  return all.filter((each) => Number.isFinite(each)).reduce((sum, each) => sum + each, 0);
}

/** The processes of a program. */
export async function processesOf(program: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (name.trim() === program) found.push(pid);
  }
  return found;
}
