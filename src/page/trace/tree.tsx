import { useEffect, useRef } from "preact/hooks";

import type { Span } from "../../observe/span-tree.js";
import { type Bar, endingOf, windowAround, workedIn } from "../model/gantt.js";
import { argsOf, isUntried, shortText, timeOf } from "../model/plan-view.js";
import { type Request, requestsOf } from "../model/requests.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import { useRunWords } from "../text/use-run-words.js";
import { nameOf } from "./span-name.js";

type Props = {
  readonly bars: readonly Bar[];
  readonly requests: readonly Request[];
  readonly chosen: number;
  readonly critical: ReadonlySet<string>;
  readonly now: number;
  readonly onChoose: (at: number) => void;
};

/** The parts of a run, each with its time on one axis; of a long one those around the chosen one. */
export function Tree({ bars, requests, chosen, critical, now, onChoose }: Props) {
  const said = useRunWords();
  const { from, to } = windowAround(chosen, bars.length);
  const isWaiting = bars.some(({ asked }) => asked !== undefined);
  return (
    <div class="tree">
      <Elsewhere count={from} label={said.before} onGo={() => onChoose(from - 1)} />
      <ol aria-label={said.timeline} start={from + 1}>
        {bars.slice(from, to).map((bar, at) => (
          <Row
            key={bar.span.id}
            bar={bar}
            verdict={verdictOf(bar.span, requests)}
            isChosen={from + at === chosen}
            isCritical={critical.has(bar.span.id)}
            isWaiting={bar.asked !== undefined || (bar.depth === 0 && isWaiting)}
            now={now}
            onChoose={() => onChoose(from + at)}
          />
        ))}
      </ol>
      <Elsewhere count={bars.length - to} label={said.after} onGo={() => onChoose(to)} />
    </div>
  );
}

/** What a person decided last on a call. */
function verdictOf(span: Span, requests: readonly Request[]) {
  return requestsOf(span, requests).findLast(({ decided }) => decided !== undefined)?.decided
    ?.decision;
}

type ElsewhereProps = {
  readonly count: number;
  readonly label: (count: number) => string;
  readonly onGo: () => void;
};

/** The way to parts that are not drawn; nothing where there are none. */
function Elsewhere({ count, label, onGo }: ElsewhereProps) {
  return count === 0 ? null : (
    <button type="button" class="quiet" onClick={onGo}>
      {label(count)}
    </button>
  );
}

type RowProps = {
  readonly bar: Bar;
  readonly verdict: ReturnType<typeof verdictOf>;
  readonly isChosen: boolean;
  readonly isCritical: boolean;
  readonly isWaiting: boolean;
  readonly now: number;
  readonly onChoose: () => void;
};

function Row({ bar, verdict, isChosen, isCritical, isWaiting, now, onChoose }: RowProps) {
  const words = useWords();
  const said = useRunWords();
  const { span, depth } = bar;
  const ending = endingOf(span);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li class={isChosen ? "chosen" : ""} ref={row}>
      <button type="button" aria-pressed={isChosen} onClick={onChoose}>
        <span class={`label depth${Math.min(depth, 8)}`}>
          <span class={isWaiting ? "sign asking" : ""} aria-hidden="true">
            {isWaiting ? "?" : signs[ending]}
          </span>{" "}
          {nameOf(span, said.roles)}
          {verdict !== undefined && <span class="verdict"> {said.decisions[verdict]}</span>}
          {argumentsIn(span)}
          {isCritical && <span class="hidden"> {said.criticalPath}</span>}
          {ending === "failed" && <span class="hidden"> {said.failed}</span>}
          {isWaiting && <span class="hidden"> {words.statuses.paused}</span>}
          {!isWaiting && span.status === "running" && (
            <span class="hidden"> {words.statuses.running}</span>
          )}
        </span>
        <Axis bar={bar} isCritical={isCritical} />
        <time title={span.kind === "run" ? said.withoutWaits : undefined}>
          {timeText(bar, now)}
        </time>
      </button>
    </li>
  );
}

/** The width of what took no time, so that it is seen. */
const thinnest = 12;

function Axis({
  bar: { span, left, width, pauses },
  isCritical,
}: {
  readonly bar: Bar;
  readonly isCritical: boolean;
}) {
  const said = useRunWords();
  const marks = [endingOf(span), span.kind, ...(isCritical ? ["critical"] : [])].join(" ");
  return (
    <span class="axis" aria-hidden="true">
      <svg width="100%" height="12" preserveAspectRatio="none" viewBox="0 0 1000 12">
        <rect
          class={`span ${marks}`}
          x={Math.min(left * 1000, 1000 - thinnest)}
          width={Math.max(thinnest, width * 1000)}
          height="12"
        />
        {pauses.map((pause) => (
          <rect class="pause" x={pause.left * 1000} width={pause.width * 1000} height="12">
            <title>{said.waitingForPeople}</title>
          </rect>
        ))}
      </svg>
    </span>
  );
}

/** How long a part worked, or waits; nothing for a call that was not made. */
function timeText({ span, asked }: Bar, now: number): string {
  if (asked !== undefined) return duration(Math.max(0, now - asked.askedAt));
  if (isUntried(span)) return "";
  return duration(span.kind === "run" ? workedIn(span, now) : timeOf(span, now));
}

const signs: { readonly [Ending in ReturnType<typeof endingOf>]: string } = {
  ok: "✓",
  failed: "✗",
  running: "◐",
  skipped: "⤼",
  stopped: "■",
  denied: "⊘",
};

function argumentsIn(span: Span): string {
  const args = span.kind === "tool" ? shortText(argsOf(span) ?? "", 60) : "";
  return args === "" || args === "{}" ? "" : `: ${args}`;
}
