import { useEffect, useRef } from "preact/hooks";

import type { Span } from "../../observe/span-tree.js";
import { type Bar, windowAround } from "../model/gantt.js";
import { argsOf, shortText } from "../model/plan-view.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";

type Props = {
  readonly bars: readonly Bar[];
  readonly chosen: number;
  readonly critical: ReadonlySet<string>;
  readonly onChoose: (at: number) => void;
};

/** The parts of a run, each with its time on one axis; of a long one those around the chosen one. */
export function Tree({ bars, chosen, critical, onChoose }: Props) {
  const words = useWords();
  const { from, to } = windowAround(chosen, bars.length);
  return (
    <div class="tree">
      <Elsewhere count={from} label={words.before} onGo={() => onChoose(from - 1)} />
      <ol aria-label={words.timeline} start={from + 1}>
        {bars.slice(from, to).map((bar, at) => (
          <Row
            key={bar.span.id}
            bar={bar}
            isChosen={from + at === chosen}
            isCritical={critical.has(bar.span.id)}
            onChoose={() => onChoose(from + at)}
          />
        ))}
      </ol>
      <Elsewhere count={bars.length - to} label={words.after} onGo={() => onChoose(to)} />
    </div>
  );
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
  readonly isChosen: boolean;
  readonly isCritical: boolean;
  readonly onChoose: () => void;
};

function Row({
  bar: { span, depth, left, width, pauses },
  isChosen,
  isCritical,
  onChoose,
}: RowProps) {
  const words = useWords();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const time =
    span.endedAt === undefined
      ? words.statuses["running"]
      : duration(span.endedAt - span.startedAt);
  const marks = [span.status, span.kind, ...(isCritical ? ["critical"] : [])].join(" ");
  return (
    <li class={isChosen ? "chosen" : ""} ref={row}>
      <button type="button" aria-pressed={isChosen} onClick={onChoose}>
        <span class={`label depth${Math.min(depth, 8)}`}>
          <span aria-hidden="true">{signs[span.status]}</span> {labelOf(span)}
          {isCritical && <span class="hidden"> {words.criticalPath}</span>}
          {span.status === "failed" && <span class="hidden"> {words.failed}</span>}
        </span>
        <span class="axis" aria-hidden="true">
          <svg width="100%" height="12" preserveAspectRatio="none" viewBox="0 0 1000 12">
            <rect
              class={`span ${marks}`}
              x={left * 1000}
              width={Math.max(3, width * 1000)}
              height="12"
            />
            {pauses.map((pause) => (
              <rect class="pause" x={pause.left * 1000} width={pause.width * 1000} height="12">
                <title>{words.waitingForPeople}</title>
              </rect>
            ))}
          </svg>
        </span>
        <time>{time}</time>
      </button>
    </li>
  );
}

const signs: { readonly [Status in Span["status"]]: string } = {
  ok: "✓",
  failed: "✗",
  running: "◐",
  skipped: "⤼",
  stopped: "■",
};

function labelOf(span: Span): string {
  const { kind, name, role, start } = span;
  if (kind === "model") return `${role ?? "model"} → ${name}`;
  if (start.type !== "tool_started") return name;
  const id = /^[A-Z]\d/.test(start.callId) ? `${start.callId} ` : "";
  const args = shortText(argsOf(span) ?? "", 60);
  return `${id}${name}${args === "" || args === "{}" ? "" : `: ${args}`}`;
}
