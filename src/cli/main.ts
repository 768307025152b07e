#!/usr/bin/env node
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { z } from "zod";

import type { Person } from "./io.js";
import { runCli } from "./run-cli.js";
import { createTerminalAsker } from "./terminal-asker.js";

/** How long abandoned tools, or their open connections, may delay the end of the process. */
const graceMs = 500;

const { stdin, stdout, stderr } = process;
const happened = new EventEmitter();
process.on("SIGINT", () => happened.emit("interrupt"));
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (stream === stdout) happened.emit("closed");
  });
}

function onEvery(name: "interrupt" | "closed") {
  return (listener: () => void) => {
    happened.on(name, listener);
    return () => void happened.off(name, listener);
  };
}

/** The person to ask, if the input is a terminal, and the output or the standard error is one, too. */
function personAtTerminal(): Person | undefined {
  const out = [stdout, stderr].find(({ isTTY }) => isTTY);
  if (!stdin.isTTY || out === undefined) return undefined;
  const interrupt = () => void happened.emit("interrupt");
  return { ask: createTerminalAsker({ input: stdin, output: out, interrupt }), out };
}

const packageFile = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const { version } = z.object({ version: z.string() }).parse(JSON.parse(packageFile));

process.exitCode = await runCli(process.argv.slice(2), version, {
  stdout,
  stderr,
  environment: process.env,
  person: personAtTerminal(),
  input: () => text(stdin),
  lines: () => createInterface({ input: stdin, crlfDelay: Infinity })[Symbol.asyncIterator](),
  onInterrupt: onEvery("interrupt"),
  onTerminate: (listener) => {
    process.on("SIGTERM", listener);
    return () => void process.off("SIGTERM", listener);
  },
  onClosed: onEvery("closed"),
  exit: (status) => process.exit(status),
});
setTimeout(() => process.exit(), graceMs).unref();
