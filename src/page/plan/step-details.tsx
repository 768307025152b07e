import type { Json } from "../../json/json.js";
import { allSpans, type Span } from "../../observe/span-tree.js";
import { argumentStages, attemptsOf, stagesOf } from "../model/call-view.js";
import { isUntried, resultOf, type StepView, timeOf } from "../model/plan-view.js";
import type { Request } from "../model/requests.js";
import type { TracedEvent } from "../model/traced.js";
import { duration } from "../text/format.js";
import { useRunWords } from "../text/use-run-words.js";
import { Sign } from "./signs.js";

/** A step in full: what it was for, what it was given, what came, and how often it was tried. */
export function StepDetails({ step, now }: { readonly step: StepView; readonly now: number }) {
  const said = useRunWords();
  const { label, tool, title, state, needs, row } = step;
  const { call } = row;
  return (
    <div class="details">
      <h3>
        <Sign state={state} /> {`${label} ${tool}`}
      </h3>
      <p>{title}</p>
      <dl>
        {needs.length > 0 && [<dt>{said.needs}</dt>, <dd>{needs.join(", ")}</dd>]}
        {call !== undefined &&
          !isUntried(call) && [<dt>{said.time}</dt>, <dd>{duration(timeOf(call, now))}</dd>]}
      </dl>
      {call !== undefined && <CallContent call={call} planned={row.args} />}
      {call !== undefined && <Inside call={call} now={now} />}
    </div>
  );
}

type ContentProps = {
  readonly call: Span;
  /** Its arguments in the plan. */
  readonly planned?: Json | undefined;
  /** The events of its run, where all of them are known. */
  readonly traced?: readonly TracedEvent[];
  /** What people were asked in it. */
  readonly requests?: readonly Request[];
};

/** What a call was given, how often it was tried, and what it brought. */
export function CallContent({ call, planned, traced = [], requests = [] }: ContentProps) {
  const said = useRunWords();
  const given = argumentStages(call, planned, traced, requests);
  const result = resultOf(call);
  const { end } = call;
  const error = end?.type === "tool_finished" ? end.error : undefined;
  return (
    <>
      <div class="stages">
        {given.map(({ as, value }) => (
          <div>
            <Value
              name={given.length === 1 ? said.arguments : said.argumentStages[as]}
              value={value}
            />
          </div>
        ))}
      </div>
      {error !== undefined && (
        <p class="problem">
          {`${said.error}${said.colon}${said.errorKinds[error]}${said.stop}${said.repairedBy[error]}`}
        </p>
      )}
      <Attempts call={call} />
      <Retrieval call={call} />
      {result !== undefined && <Value name={said.result} value={result} />}
      {given.length === 0 && result === undefined && end !== undefined && (
        <p class="small">{said.notKept}</p>
      )}
    </>
  );
}

/** Nothing where the first attempt was the only one. */
function Attempts({ call }: { readonly call: Span }) {
  const said = useRunWords();
  const attempts = attemptsOf(call);
  if (attempts.length < 2) return null;
  return (
    <>
      <h4>{said.attempts(attempts.length)}</h4>
      <ol class="inside">
        {attempts.map(({ ms, reason, waitMs }) => (
          <li>
            {duration(ms)}
            {waitMs !== undefined && ` · ${reason ?? ""} (${said.waited(duration(waitMs))})`}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The stages of a search side by side: what each found, with its scores, and what was left out in the end. */
function Retrieval({ call }: { readonly call: Span }) {
  const said = useRunWords();
  const stages = stagesOf(call);
  if (stages.length === 0) return null;
  return (
    <>
      <h4>{said.retrieval}</h4>
      <div class="stages">
        {stages.map(({ name, candidates, ms, error, hits }) => (
          <div class="card">
            <strong>{name}</strong>{" "}
            <span class="small">{`${said.candidates(candidates)} · ${duration(ms)}`}</span>
            {error !== undefined && <p class="problem">{error}</p>}
            <ol>
              {hits.map(({ title, score, isOut }) => (
                <li class={isOut ? "out" : ""}>
                  {`${score.toFixed(3)} ${title}`}
                  {isOut && <span class="small"> {said.leftOut}</span>}
                </li>
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
