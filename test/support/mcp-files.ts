import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, vi } from "vitest";

import { createDirectory } from "../cli/console.js";
import { bundledProgram } from "./bundled-program.js";

const shopChild = await bundledProgram("mcp-server-child.ts");
const mortalChild = await bundledProgram("mcp-mortal-child.ts");

const childOf = (...args: string[]) => ({ command: process.execPath, args });

/** The command of a server with the tools of a shop. */
export const commandOf = (name: string) => childOf(shopChild, name);

/** The same as YAML in one line; `more` are further fields. */
export const shopServer = (name: string, more = "") => inYaml(commandOf(name), more);

const inYaml = ({ command, args }: ReturnType<typeof childOf>, more: string) =>
  `{ command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)}${more} }`;

/** A server that notes its starts and its calls in a file, as YAML. */
export const mortalServer = (notes: string, more = "") => inYaml(childOf(mortalChild, notes), more);

/** The processes that noted their start in a file, in order, and those of them that are there. */
export function processesIn(notes: string) {
  const lines = notesIn(notes).filter((note) => note.startsWith("start "));
  const pids = lines.map((note) => Number(note.split(" ")[1]));
  return { pids, alive: pids.filter(isAlive) };
}

function notesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

/** A folder for agent files whose servers are child processes. */
export async function mcpFolder() {
  const directory = await createDirectory();
  const notesAt = (name: string) => directory.path(`${name}.notes`);
  const alive = (name = "a") => processesIn(notesAt(name)).alive;
  const ended = async (name = "a") => {
    await vi.waitFor(() => expect(alive(name)).toEqual([]), 10_000);
  };
  return {
    ...directory,
    notes: (name = "a") => notesIn(notesAt(name)),
    /** The processes that were started as this server, in order. */
    pids: (name = "a") => processesIn(notesAt(name)).pids,
    alive,
    /** Waits until none of them is there. */
    ended,
    /** A server that notes its starts and its calls under a name, as YAML. */
    mortal: (name = "a", more = "") => mortalServer(notesAt(name), more),
    flag: (name: string, flag: string) => {
      writeFileSync(`${notesAt(name)}.${flag}`, "");
    },
    kill: async (name = "a") => {
      for (const pid of alive(name)) process.kill(pid, "SIGKILL");
      await ended(name);
      // The client hears of it a moment later.
      await sleep(200);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
