import { canonicalJson, type Json } from "../../json/json.js";
import type { Span } from "../../observe/span-tree.js";
import { argsOf } from "./plan-view.js";
import { type Request, requestsOf } from "./requests.js";
import type { TracedEvent } from "./traced.js";

/** Arguments on their way: as the plan has them, with the results of other steps, as a person changed them, as they were sent in the end. */
export type ArgumentStage = {
  readonly as: "planned" | "filled" | "changed" | "sent";
  readonly value: Json;
};

/** The arguments of a call, each time they changed; one stage where they never did. */
export function argumentStages(
  call: Span,
  planned: Json | undefined,
  traced: readonly TracedEvent[],
  requests: readonly Request[] = [],
): readonly ArgumentStage[] {
  const [first, ...others] = [...earlierCalls(call, traced), argsOf(call)].filter(
    (args): args is Json => args !== undefined,
  );
  const changed = changedStages(call, requests);
  const as = changed.length === 0 ? "filled" : "sent";
  const stages: ArgumentStage[] = [
    ...(planned === undefined ? [] : [{ as: "planned" as const, value: planned }]),
    ...changed,
    ...(first === undefined ? [] : [{ as, value: first } as const]),
    ...others.map((value) => ({ as: "sent" as const, value })),
  ];
  return stages.filter(
    ({ value }, at) => at === 0 || canonicalJson(value) !== canonicalJson(stages[at - 1]?.value),
  );
}

/** What a person was shown, and what that person made of it. */
function changedStages(call: Span, requests: readonly Request[]): ArgumentStage[] {
  return requestsOf(call, requests).flatMap(({ args, decided }): ArgumentStage[] => {
    const edited = decided?.content?.edited_action?.args;
    if (args === undefined || edited === undefined) return [];
    return [
      { as: "filled", value: args },
      { as: "changed", value: edited },
    ];
  });
}

/** What the call was sent with before its arguments were written again. */
function earlierCalls({ start, runId }: Span, traced: readonly TracedEvent[]) {
  if (start.type !== "tool_started") return [];
  const until = traced.findIndex(({ event }) => event === start);
  return traced
    .slice(0, Math.max(0, until))
    .map(({ event }) => event)
    .filter((event) => event.type === "tool_started")
    .filter((event) => event.runId === runId && event.callId === start.callId)
    .map(({ content }) => content?.args);
}

/** A try of a call: how long it took, and why the next one followed, `waitMs` later. */
export type Attempt = {
  readonly ms: number;
  readonly reason?: string;
  readonly waitMs?: number;
};

/** The tries of a call, in order. */
export function attemptsOf({ startedAt, endedAt, marks }: Span): readonly Attempt[] {
  const attempts: Attempt[] = [];
  let from = startedAt;
  for (const mark of marks) {
    if (mark.type !== "retry") continue;
    const { at, reason = "", delayMs } = mark;
    attempts.push({ ms: Math.max(0, at - from), reason, waitMs: delayMs });
    from = at + delayMs;
  }
  return endedAt === undefined ? attempts : [...attempts, { ms: Math.max(0, endedAt - from) }];
}

/** A stage of a search with its hits; `isOut`: the last stage left it out. */
export type Stage = {
  readonly name: string;
  readonly candidates: number;
  readonly ms: number;
  readonly error: string | undefined;
  readonly hits: readonly {
    readonly title: string;
    readonly score: number;
    readonly isOut: boolean;
  }[];
};

/** The stages of the searches of a call, in order. */
export function stagesOf({ marks }: Span): readonly Stage[] {
  const stages = marks.filter((mark) => mark.type === "retrieved");
  return stages.map(({ stage, candidates, ms, error, content }) => {
    const last = stages.findLast((other) => other.content?.query === content?.query);
    const kept = new Set(last?.content?.hits.map(({ id }) => id));
    const hits = (content?.hits ?? []).map(({ id, title, score }) => {
      return { title, score, isOut: !kept.has(id) };
    });
    return { name: stage, candidates, ms, error, hits };
  });
}
