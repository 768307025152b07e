import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

import type { CliIo, Occurrences } from "../../src/cli/io.js";
import { runCli } from "../../src/cli/run-cli.js";

/** How a test's process is. */
export type ConsoleOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether both outputs are terminals. */
  readonly tty?: boolean;
  /** What the person at the terminal types, line by line; then the input ends. */
  readonly typed?: readonly string[];
  /** What comes in a pipe. */
  readonly piped?: string;
};

/** A fake process around the command line, with all that it wrote. */
export function createConsole({
  environment = {},
  tty = false,
  typed,
  piped = "",
}: ConsoleOptions = {}) {
  // "shown" is what both outputs have, in order.
  const written = { stdout: "", stderr: "", person: "", shown: "" };
  const exits: number[] = [];
  const interrupts = new Set<() => void>();
  const closes = new Set<() => void>();
  const ends = new Set<() => void>();
  const lines = [...(typed ?? [])];
  const output = (name: "stdout" | "stderr" | "person") => ({
    write: (text: string) => {
      written[name] += text;
      if (name !== "person") written.shown += text;
    },
    isTTY: tty,
    columns: 80,
  });
  const io: CliIo = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    environment,
    person:
      typed === undefined ? undefined : { ask: async () => lines.shift(), out: output("person") },
    input: async () => piped,
    lines: () => createInterface({ input: Readable.from([piped]) })[Symbol.asyncIterator](),
    onInterrupt: occurrences(interrupts),
    onClosed: occurrences(closes),
    onTerminate: occurrences(ends),
    exit: (status) => void exits.push(status),
  };
  return {
    io,
    written,
    exits,
    interrupt: () => callAll(interrupts),
    closeOutput: () => callAll(closes),
    terminate: () => callAll(ends),
    run: (...argv: readonly string[]) => runCli(argv, "1.2.3", io),
  };
}

/** A directory for a test's files, in which modules find this project's packages. */
export async function createDirectory() {
  const path = await mkdtemp(join(tmpdir(), "plangraph-cli-"));
  await symlink(resolve("node_modules"), join(path, "node_modules"));
  return {
    path: (name: string) => join(path, name),
    write: async (name: string, text: string) => {
      await writeFile(join(path, name), text);
      return join(path, name);
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** The source of a module with the tools `echo`, `send` (needs approval) and `slow`. */
export const toolModule = `
import { tool } from "@langchain/core/tools";
import { z } from "zod";
const policy = Symbol.for("plangraph.policy");
export const echo = tool(({ text }) => "echo " + text, {
  name: "echo", description: "Echoes.", schema: z.object({ text: z.string() }) });
export const send = Object.assign(tool(({ to }) => "sent to " + to, {
  name: "send", description: "Sends a letter.", schema: z.object({ to: z.string() }) }),
  { [policy]: { needsApproval: true } });
export const slow = tool(() => new Promise((done) => setTimeout(done, 60_000, "done").unref()), {
  name: "slow", description: "Takes its time.", schema: z.object({}) });
`;

function occurrences(listeners: Set<() => void>): Occurrences {
  return (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}
