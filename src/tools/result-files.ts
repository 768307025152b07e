import { isToolMessage } from "@langchain/core/messages";

import type { Json, JsonObject } from "../json/json.js";
import { type ToolStep, wholeReference } from "../plan/step.js";
import { sha256 } from "../platform.js";
import type { NamedFile, RunScope } from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import { marksOf } from "./policy.js";
import { readMedia } from "./read-media.js";
import type { Toolbox } from "./toolbox.js";
import type { WrappedState } from "./wrap-tool-call.js";

/** The result whose files are named, and its run. */
type FilesOf = { readonly runId: string; readonly callId: string };

/**
 * The files of a result, with their names. A name cannot be guessed: the text of a stranger, which a plan puts into an
 * argument, names no file. It is the same in every process that goes on with the run.
 */
export function resultFiles(
  media: readonly unknown[] = [],
  { runId, callId }: FilesOf,
): NamedFile[] {
  const read = media.map(readMedia).filter((each) => each !== undefined);
  return read.map(({ mimeType, data }, at) => {
    const key = sha256(`file\n${runId}\n${callId}\n${at}`).slice(0, 16);
    return { name: `file_${key}.${mimeType.replace(/^.*\//, "")}`, mimeType, data };
  });
}

/** Whether a text has the form of such a name. */
export function isFileName(text: string): boolean {
  return /^file_[\da-f]{16}\.[a-z\d]+$/.test(text.trim());
}

/** The part of a call's context that holds the results of its run. */
type Results = {
  readonly observations: readonly Observation[];
  readonly run: Pick<RunScope, "runId">;
  readonly state: WrappedState;
};

/** The files of the run's results. Once a message has them, they are only there. */
export function filesOfRun({ observations, run: { runId }, state }: Results): NamedFile[] {
  return observations.flatMap(({ callId, media }) =>
    resultFiles(media ?? mediaTold(callId, state), { runId, callId }),
  );
}

function mediaTold(callId: string, { messages }: WrappedState): readonly unknown[] {
  const told = messages.findLast((each) => isToolMessage(each) && each.tool_call_id === callId);
  return told === undefined || typeof told.content === "string" ? [] : told.content;
}

/** The arguments of a planned step, with the names of files where a parameter that takes files refers to their result. */
export function withFileNames(
  { tool, args }: Pick<ToolStep, "tool" | "args">,
  observations: readonly Observation[],
  { toolbox, run: { runId } }: { readonly toolbox: Toolbox } & Pick<Results, "run">,
): JsonObject {
  const entry = toolbox.get(tool);
  const { takesFiles: parameters = [] } = entry === undefined ? {} : marksOf(entry.tool);
  const namesOf = (text: Json): string[] => {
    const reference = typeof text === "string" ? wholeReference(text) : undefined;
    if (reference === undefined || reference.path.length > 0) return [];
    const { id: callId } = reference;
    const media = observations.find((each) => each.callId === callId)?.media;
    return resultFiles(media, { runId, callId }).map(({ name }) => name);
  };
  const named = (value: Json): Json => {
    const names = namesOf(value);
    const [only = value, ...others] = names;
    return others.length === 0 ? only : names;
  };
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (!parameters.includes(name)) return [name, value];
      return [name, Array.isArray(value) ? value.flatMap(named) : named(value)];
    }),
  );
}
