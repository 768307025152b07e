import { useEffect, useState } from "preact/hooks";

import { workedMs } from "../../observe/worked-time.js";
import type { ReadRun } from "../api/traces.js";
import { beginningOf, titleOf } from "../model/run-title.js";
import { mayGoOn } from "../model/traced.js";
import { useWords } from "../text/context.js";
import { duration, timeOfDay } from "../text/format.js";
import type { RunWords } from "../text/run-words.js";
import { useRunWords } from "../text/use-run-words.js";
import type { Words } from "../text/words.js";

type Run = ReadRun["run"];

/** How much of a question is a heading. */
const mostChars = 200;

/** What was asked, how it ended, and what it took. */
export function Head({ run }: { readonly run: Run }) {
  const words = useWords();
  const said = useRunWords();
  const { threadId, question, status, error } = run;
  const title = beginningOf(titleOf(run) ?? said.notKept, mostChars);
  useEffect(() => {
    document.title = `${title} · plangraph`;
  }, [title]);
  return (
    <>
      <h2>{title}</h2>
      {question !== undefined && question.trim() !== title && <Whole text={question} />}
      <p class={`summary ${status}`}>{factsOf(run, words, said).join(" · ")}</p>
      {error !== undefined && status !== "cancelled" && <p class="problem">{error}</p>}
      {threadId !== undefined && (
        <p>
          <a href={`/chat/${threadId}`}>{said.openConversation}</a>
        </p>
      )}
    </>
  );
}

/** A question that is more than its heading. */
function Whole({ text }: { readonly text: string }) {
  const words = useWords();
  const said = useRunWords();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" class="link" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? words.less : words.more}
      </button>
      {isShown && (
        <pre tabIndex={0} aria-label={said.wholeQuestion}>
          {text}
        </pre>
      )}
    </>
  );
}

function factsOf(run: Run, words: Words, said: RunWords): readonly string[] {
  const { id, graph, graphId = graph, status, startedAt, waitedMs = 0, usage } = run;
  const worked = mayGoOn(status) ? undefined : workedMs(run);
  return [
    words.statuses[status],
    graphId,
    ...(graphId === graph ? [] : [graph]),
    timeOfDay(startedAt, Date.now()),
    ...(worked === undefined ? [] : [duration(worked)]),
    ...(waitedMs === 0 ? [] : [said.waitedFor(duration(waitedMs))]),
    ...(usage === undefined
      ? []
      : [words.usage(usage.modelCalls, usage.tokensIn + usage.tokensOut, usage.costUsd)]),
    ...Object.entries(usage?.byRole ?? {}).map(([role, used]) => roleText(role, used, said)),
    id.slice(0, 8),
  ];
}

type Share = NonNullable<Run["usage"]>["byRole"][string];

function roleText(role: string, { tokensIn, tokensOut, costUsd }: Share, said: RunWords): string {
  const cost = costUsd > 0 ? ` $${costUsd.toPrecision(2)}` : "";
  return `${said.roles[role] ?? role}${said.colon}${said.number(tokensIn + tokensOut)}${cost}`;
}
