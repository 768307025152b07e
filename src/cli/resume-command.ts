import type { GivenFlags } from "./flags.js";

/** The command that goes on with a thread: the one that was given, without its question. */
export function resumeCommand(graph: string, given: GivenFlags, thread: string): string {
  const { model, planner, executor, protocol, tools, wikipedia, limit } = given;
  const { services, allowHost } = given;
  const { replanner, router, replanning, review, checkpoint, json, quiet } = given;
  const words = [
    "plangraph",
    graph,
    ...flag("--model", model),
    ...flag("--planner", planner),
    ...flag("--executor", executor),
    ...flag("--replanner", replanner),
    ...flag("--router", router),
    ...flag("--replanning", replanning),
    ...(review ? ["--review"] : []),
    ...flag("--protocol", protocol),
    ...tools.flatMap((file) => flag("--tools", file)),
    ...services.flatMap((file) => flag("--services", file)),
    ...allowHost.flatMap((host) => flag("--allow-host", host)),
    ...(wikipedia ? ["--wikipedia"] : []),
    ...limit.flatMap((one) => flag("--limit", one)),
    ...flag("--thread", thread),
    ...flag("--checkpoint", checkpoint),
    ...(given.continue ? ["--continue"] : []),
    ...(json ? ["--json"] : []),
    ...(quiet ? ["--quiet"] : []),
  ];
  return words.map(quoted).join(" ");
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** The word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
