import type { Json } from "../../json/json.js";
import type { AgentEvent, ReplyContent } from "../../observe/events.js";
import type { InputMessage } from "../../observe/observer.js";
import type { Span } from "../../observe/span-tree.js";
import { AskedNow, Decisions } from "./asked.js";
import { CopyButton } from "../shell/copy-button.js";
import { markLines } from "./mark-text.js";
import { headingOf } from "./span-name.js";
import { modelCurl } from "../model/curl.js";
import type { Bar } from "../model/gantt.js";
import { type Request, requestsOf } from "../model/requests.js";
import { type NewInput, newIn } from "../model/thoughts.js";
import type { TracedEvent } from "../model/traced.js";
import { CallContent, Value } from "../plan/step-details.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import type { RunWords } from "../text/run-words.js";
import { useRunWords } from "../text/use-run-words.js";
import { Markdown } from "../text/markdown-view.js";

type Props = Part & {
  readonly bar: Bar;
  /** The arguments of a call in its plan. */
  readonly planned: Json | undefined;
  readonly requests: readonly Request[];
  /** What the run waits for people with. */
  readonly asked: readonly Request[];
  readonly thread: string | undefined;
};

/** One part of a run in full: a thought of a model, a call of a tool, or a run with its answer. */
export function Block({ bar, span, traced, planned, requests, asked, thread }: Props) {
  const { roles } = useRunWords();
  const own = bar.depth === 0 ? asked : bar.asked === undefined ? [] : [bar.asked];
  const isBegun = traced.some(({ event }) => event === span.start);
  return (
    <div class="details block">
      <h3>{headingOf(span, roles)}</h3>
      {own.map((request) => (
        <AskedNow
          key={request.callId}
          request={request}
          thread={thread}
          isNamed={bar.depth === 0}
        />
      ))}
      <Decisions requests={requestsOf(span, requests)} />
      {span.kind === "model" && <Thought span={span} traced={traced} />}
      {span.kind === "tool" && isBegun && (
        <CallContent call={span} planned={planned} traced={traced} requests={requests} />
      )}
      {span.kind === "run" && <Ended span={span} isOutermost={bar.depth === 0} />}
      <Marks span={span} requests={requests} />
    </div>
  );
}

type Part = { readonly span: Span; readonly traced: readonly TracedEvent[] };

/** A request to a model: what is new in what it read, what it said, and what that took. */
function Thought({ span, traced }: Part) {
  const words = useWords();
  const said = useRunWords();
  const { end } = span;
  const input = inputOf(span, traced);
  return (
    <>
      <p class="small">{factsOf(end, said)}</p>
      {input === undefined ? <p class="small">{said.notKept}</p> : <Input input={input.shown} />}
      {end?.type === "model_failed" && (
        <p class="problem">
          {end.kind === "cancelled" ? words.statuses.cancelled : (end.error ?? said.failed)}
        </p>
      )}
      {end?.type === "model_finished" && <Reply content={end.content} />}
      {input !== undefined && (
        <CopyButton label={said.copyCurl} text={modelCurl(modelOf(span), input.sent)} />
      )}
    </>
  );
}

/** The model's name on its server. */
function modelOf({ name, start }: Span): string {
  const provider = start.type === "model_started" ? `${start.provider ?? ""}:` : "";
  return name.startsWith(provider) ? name.slice(provider.length) : name;
}

/** What a model was sent, and what of it is new since the request before of its role. */
function inputOf({ start }: Span, traced: readonly TracedEvent[]) {
  const at = traced.findIndex(({ event }) => event === start);
  const sent = traced[at]?.input;
  if (sent === undefined) return undefined;
  const isBefore = ({ event, input }: TracedEvent) =>
    input !== undefined && event.role === start.role && event.runId === start.runId;
  return { sent, shown: newIn(sent, traced.slice(0, at).findLast(isBefore)?.input) };
}

function Reply({ content }: { readonly content: ReplyContent | undefined }) {
  const said = useRunWords();
  if (content === undefined) return <p class="small">{said.notKept}</p>;
  const { text, thought, calls = [] } = content;
  return (
    <>
      {thought !== undefined && <Value name={said.thought} value={thought} />}
      {text !== "" && <Value name={said.output} value={text} />}
      {calls.map(({ name, args }) => (
        <Value name={`→ ${name}`} value={args} />
      ))}
    </>
  );
}

function factsOf(end: AgentEvent | undefined, said: RunWords): string {
  if (end?.type !== "model_finished") return "";
  const { ms, firstTokenMs, usage, cachedTokens = 0, finishReason } = end;
  return [
    duration(ms),
    ...(firstTokenMs === undefined ? [] : [`${said.firstToken} ${duration(firstTokenMs)}`]),
    said.tokens(usage.tokensIn, usage.tokensOut, cachedTokens),
    ...(finishReason === undefined ? [] : [finishReason]),
  ].join(" · ");
}

function Input({ input: { system, earlier, messages, all } }: { readonly input: NewInput }) {
  const said = useRunWords();
  return (
    <>
      {system !== "" && (
        <details>
          <summary>{said.system}</summary>
          <pre tabIndex={0}>{system}</pre>
        </details>
      )}
      <h4>{said.input}</h4>
      {earlier > 0 && (
        <details>
          <summary>{said.earlier(earlier)}</summary>
          {all.slice(0, earlier).map((message) => (
            <Said message={message} />
          ))}
        </details>
      )}
      {messages.map((message) => (
        <Said message={message} />
      ))}
    </>
  );
}

function Said({ message: { role, text, toolCalls = [] } }: { readonly message: InputMessage }) {
  const calls = toolCalls.map(({ name, args }) => `→ ${name} ${JSON.stringify(args)}`).join("\n");
  return (
    <div class="said">
      <span class="small">{role}</span>
      <pre tabIndex={0}>{[text, calls].filter((part) => part !== "").join("\n")}</pre>
    </div>
  );
}

/** The answer of a run, and why it failed; why the outermost one did stands above all parts. */
function Ended({ span: { end }, isOutermost }: Pick<Part, "span"> & { isOutermost: boolean }) {
  if (end?.type !== "run_finished") return null;
  const { content, error } = end;
  return (
    <>
      {error !== undefined && !isOutermost && <p class="problem">{error}</p>}
      {content !== undefined && content.answer !== error && <Markdown text={content.answer} />}
    </>
  );
}

/** What happened to it: retries, repairs, decisions, changes of the plan. */
function Marks({ span, requests }: Pick<Props, "span" | "requests">) {
  const words = useWords();
  const lines = markLines(span.marks, requests, words);
  return lines.length === 0 ? null : (
    <ul class="notes">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}
