import type { Json } from "../../json/json.js";
import type { AgentEvent, ReplyContent } from "../../observe/events.js";
import type { InputMessage } from "../../observe/observer.js";
import type { Span } from "../../observe/span-tree.js";
import { CopyButton } from "./copy-button.js";
import { markText } from "./mark-text.js";
import { modelCurl } from "../model/curl.js";
import { type NewInput, newIn } from "../model/thoughts.js";
import type { TracedEvent } from "../model/traced.js";
import { CallContent, Value } from "../plan/step-details.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import { Markdown } from "../text/markdown-view.js";

/** One part of a run in full: a thought of a model, a call of a tool, or a run with its answer. */
export function Block({ span, traced, planned }: Part & { readonly planned: Json | undefined }) {
  return (
    <div class="details block">
      <h3>{`${span.kind === "model" ? (span.role ?? "") : ""} ${span.name}`}</h3>
      {span.kind === "model" && <Thought span={span} traced={traced} />}
      {span.kind === "tool" && <CallContent call={span} planned={planned} traced={traced} />}
      {span.kind === "run" && <Ended span={span} />}
      <Marks span={span} />
    </div>
  );
}

type Part = { readonly span: Span; readonly traced: readonly TracedEvent[] };

/** A request to a model: what is new in what it read, what it said, and what that took. */
function Thought({ span, traced }: Part) {
  const words = useWords();
  const { end } = span;
  const input = inputOf(span, traced);
  return (
    <>
      <p class="small">{factsOf(end, words)}</p>
      {input === undefined ? <p class="small">{words.notKept}</p> : <Input input={input.shown} />}
      {end?.type === "model_failed" && <p class="problem">{end.error ?? words.failed}</p>}
      {end?.type === "model_finished" && <Reply content={end.content} />}
      {input !== undefined && (
        <CopyButton label={words.copyCurl} text={modelCurl(modelOf(span), input.sent)} />
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
  const words = useWords();
  if (content === undefined) return <p class="small">{words.notKept}</p>;
  const { text, thought, calls = [] } = content;
  return (
    <>
      {thought !== undefined && <Value name={words.thought} value={thought} />}
      {text !== "" && <Value name={words.output} value={text} />}
      {calls.map(({ name, args }) => (
        <Value name={`→ ${name}`} value={args} />
      ))}
    </>
  );
}

function factsOf(end: AgentEvent | undefined, words: ReturnType<typeof useWords>): string {
  if (end?.type !== "model_finished") return "";
  const { ms, firstTokenMs, usage, cachedTokens = 0, finishReason } = end;
  return [
    duration(ms),
    ...(firstTokenMs === undefined ? [] : [`${words.firstToken} ${duration(firstTokenMs)}`]),
    words.tokens(usage.tokensIn, usage.tokensOut, cachedTokens),
    ...(finishReason === undefined ? [] : [finishReason]),
  ].join(" · ");
}

function Input({ input: { system, earlier, messages, all } }: { readonly input: NewInput }) {
  const words = useWords();
  return (
    <>
      {system !== "" && (
        <details>
          <summary>{words.system}</summary>
          <pre tabIndex={0}>{system}</pre>
        </details>
      )}
      <h4>{words.input}</h4>
      {earlier > 0 && (
        <details>
          <summary>{words.earlier(earlier)}</summary>
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

function Ended({ span: { end } }: { readonly span: Span }) {
  if (end?.type !== "run_finished") return null;
  const { content, error } = end;
  return (
    <>
      {error !== undefined && <p class="problem">{error}</p>}
      {content !== undefined && <Markdown text={content.answer} />}
    </>
  );
}

/** What happened to it: retries, repairs, decisions, changes of the plan. */
function Marks({ span: { marks } }: { readonly span: Span }) {
  const words = useWords();
  const lines = marks.map((mark) => markText(mark, words)).filter((line) => line !== "");
  return lines.length === 0 ? null : (
    <ul class="notes">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}
