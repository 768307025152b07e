import type { Dialect } from "./dialect.js";
import { refusals } from "./dialects/refusals.js";
import { thinking } from "./dialects/thinking.js";
import { written } from "./dialects/written.js";

const all = { ...refusals, ...thinking, ...written };

/** The name of a dialect in {@link dialects}. */
export type DialectName = keyof typeof all;

/**
 * The dialects of real servers, by name, each with a description. With one of them, the scripted server answers a
 * script in the form of such a server; a table of tests can cover all of them.
 *
 * Refusals, with the status and the message of a real server:
 * - of JSON: `no-json-schema`, `no-json-object`, `json-word-needed`, `no-response-format`, `no-strict`;
 * - of tools: `no-tools`, `no-auto-tools`, `no-forced-tools`, `no-named-tool-choice`,
 *   `thinking-no-forced-tools`, `no-parallel-tool-calls`;
 * - of parameters: `no-stop`, `no-stream-options`;
 * - of histories: `one-call-per-message`, `no-system-message`, `system-message-first`,
 *   `alternating-roles`, `strictly-alternating-roles`, `reasoning-demanded-back`.
 *
 * Forms of a scripted reply:
 * - thoughts: `reasoning-content`, `reasoning`, `inline-thinking`, `inline-thinking-unopened` (and the
 *   two above that name thinking or reasoning); without reasoning in the script they send a
 *   neutral thought;
 * - tool calls: `object-arguments`, `same-call-index`, `calls-finish-with-stop`, `same-call-id`,
 *   `empty-call-id`, `calls-as-fenced-text`, `calls-as-tagged-text`, `forced-tools-ignored`;
 * - the rest: `same-reply-id`, `content-null`, `content-missing`, `content-parts`,
 *   `empty-tool-calls`, `usage-null`.
 *
 * A server that ignores `response_format` needs no dialect: it answers with the script unchanged.
 *
 * @example
 * ```ts
 * it.each(Object.entries(dialects))("answers a server that speaks %s", async (_, dialect) => {
 *   await using server = await startScriptedServer({ replies: ["It is 42."], dialect });
 *   // …
 * });
 *
 * // Two at once, if they do not change the same thing:
 * const dialect = { ...dialects["no-json-schema"], ...dialects["inline-thinking"] };
 * ```
 */
export const dialects: Readonly<Record<DialectName, Dialect>> = all;
