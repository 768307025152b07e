import type { Json } from "../../json/json.js";
import { allSpans, type Span } from "../../observe/span-tree.js";
import { argsOf, resultOf, type StepView, timeOf } from "../model/plan-view.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import { Sign } from "./signs.js";

/** A step in full: what it was for, what it was given, what came, and how often it was tried. */
export function StepDetails({ step, now }: { readonly step: StepView; readonly now: number }) {
  const words = useWords();
  const { label, tool, title, state, needs, row } = step;
  const { call } = row;
  return (
    <div class="details">
      <h3>
        <Sign state={state} /> {`${label} ${tool}`}
      </h3>
      <p>{title}</p>
      <dl>
        {needs.length > 0 && [<dt>{words.needs}</dt>, <dd>{needs.join(", ")}</dd>]}
        {call !== undefined &&
          state !== "skipped" && [
            <dt>{words.time}</dt>,
            <dd>{effortOf(call, now, words.attempts)}</dd>,
          ]}
      </dl>
      {call !== undefined && <CallContent call={call} />}
      {call !== undefined && <Inside call={call} now={now} />}
    </div>
  );
}

function effortOf(call: Span, now: number, attempts: (count: number) => string): string {
  const time = duration(timeOf(call, now));
  const { end } = call;
  return end?.type === "tool_finished" && end.attempts > 1
    ? `${time}, ${attempts(end.attempts)}`
    : time;
}

/** What a call was given, and what it brought. */
export function CallContent({ call }: { readonly call: Span }) {
  const words = useWords();
  const args = argsOf(call);
  const repaired = call.marks.findLast((mark) => mark.type === "arguments_repaired");
  const sent = repaired?.type === "arguments_repaired" ? repaired.content?.args : undefined;
  const result = resultOf(call);
  const { end } = call;
  const error = end?.type === "tool_finished" ? end.error : undefined;
  return (
    <>
      {args !== undefined && <Value name={words.arguments} value={sent ?? args} />}
      {error !== undefined && <p class="problem">{`${words.error}: ${error}`}</p>}
      <Retrieval marks={call.marks} />
      {result !== undefined && <Value name={words.result} value={result} />}
      {args === undefined && result === undefined && end !== undefined && (
        <p class="small">{words.notKept}</p>
      )}
    </>
  );
}

/** The stages of a search side by side: what each found, with its scores. */
function Retrieval({ marks }: Pick<Span, "marks">) {
  const words = useWords();
  const stages = marks.filter((mark) => mark.type === "retrieved");
  if (stages.length === 0) return null;
  return (
    <>
      <h4>{words.retrieval}</h4>
      <div class="stages">
        {stages.map(({ stage, candidates, ms, error, content }) => (
          <div class="card">
            <strong>{stage}</strong>{" "}
            <span class="small">{`${words.candidates(candidates)} · ${duration(ms)}`}</span>
            {error !== undefined && <p class="problem">{error}</p>}
            <ol>
              {(content?.hits ?? []).map(({ title, score }) => (
                <li>{`${score.toFixed(3)} ${title}`}</li>
              ))}
            </ol>
          </div>
        ))}
      </div>
    </>
  );
}

/** A value under its name: text as it is, anything else as JSON. */
export function Value({ name, value }: { readonly name: string; readonly value: Json }) {
  const text = typeof value === "string" ? pretty(value) : JSON.stringify(value, null, 2);
  return (
    <>
      <h4>{name}</h4>
      <pre tabIndex={0}>{text}</pre>
    </>
  );
}

function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > 100_000) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The calls and requests inside a call, each in a line. */
function Inside({ call, now }: { readonly call: Span; readonly now: number }) {
  const inside = allSpans(call.children).filter(({ kind }) => kind !== "run");
  if (inside.length === 0) return null;
  return (
    <ul class="inside">
      {inside.map((span) => (
        <li>{`${span.role ?? span.kind} ${span.name} · ${duration(timeOf(span, now))} · ${span.status}`}</li>
      ))}
    </ul>
  );
}
