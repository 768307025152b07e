import { readFile } from "node:fs/promises";

import { PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import type { TracedRun } from "../../tracing/index.js";
import { invalidOption, shown } from "../../run/check-names.js";

/** What an operator adds to the pages. */
export type PageOptions = {
  /**
   * The address of a run in another tracing back end, which the page of a run links: http or https, with `{run}` or
   * `{thread}` in it.
   */
  readonly traceLink?: string;
  /**
   * A JavaScript module whose default export has components by their names: functions that take the `props` of what an
   * answer shows, and return a DOM node or a text. Everybody who can reach the server can read it.
   */
  readonly components?: string;
};

/** Throws `invalid_option` for a link that no run has, and `unreadable_file`. */
export async function checkPages(where: string, { traceLink, components }: PageOptions) {
  if (
    traceLink !== undefined &&
    linkOf(traceLink, { id: "run", threadId: "thread" }) === undefined
  ) {
    throw invalidOption(
      `${where}.traceLink: expected an http or https address with {run} or {thread}, got ${shown(traceLink)}.`,
    );
  }
  if (components !== undefined) await readComponents(components);
}

/** The address of a run in another tracing back end; none for a run without the thread that it needs. */
export function linkOf(
  template: string,
  { id, threadId }: Pick<TracedRun, "id" | "threadId">,
): string | undefined {
  if (!/\{(?:run|thread)\}/.test(template)) return undefined;
  if (threadId === undefined && template.includes("{thread}")) return undefined;
  const link = template
    .replaceAll("{run}", encodeURIComponent(id))
    .replaceAll("{thread}", encodeURIComponent(threadId ?? ""));
  const isWeb = URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  return isWeb ? link : undefined;
}

/** The module with the operator's components. Throws `unreadable_file`. */
export async function readComponents(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = `The components of the pages cannot be read: ${errorLine(error)}`;
    throw new PlangraphError("unreadable_file", why, { cause: error });
  }
}
