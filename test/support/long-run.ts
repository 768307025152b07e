import { TraceFile } from "../../src/tracing/index.js";

/** Adds a run "long" with so many calls to a file of traces. */
export async function keepLongRun(file: string, calls: number): Promise<void> {
  const traces = await TraceFile.open(file);
  const from = { runId: "long", node: "tools", at: 0 };
  traces.transaction(() => {
    traces.add("long", { event: { ...from, type: "run_started", graph: "react" } });
    for (let at = 1; at <= calls; at += 1) {
      const call = { callId: `c${at}`, tool: "work" };
      traces.add("long", { event: { ...from, ...call, at, type: "tool_started" } });
      const ended = { ok: true, ms: 1, attempts: 1, at: at + 1 };
      traces.add("long", { event: { ...from, ...call, ...ended, type: "tool_finished" } });
    }
  });
  traces.close();
}
