import { useState } from "preact/hooks";

import { problemOf } from "../api/problem.js";
import { markRun } from "../api/traces.js";
import { useWords } from "../text/context.js";

type Verdict = "good" | "bad" | "none";

type Props = {
  /** The id of the run. */
  readonly run: string;
  /** What was judged before. */
  readonly verdict?: Verdict | undefined;
  readonly why?: string | undefined;
  readonly onJudged?: () => void;
};

/**
 * Judges a run: it was good, or bad, and why. The same again takes that back, unless the reason is a new one: then the
 * reason is kept.
 */
export function Judgement(props: Props) {
  return <Judged key={props.run} {...props} />;
}

function Judged({ run, verdict = "none", why = "", onJudged }: Props) {
  const words = useWords();
  const [kept, setKept] = useState<{ readonly verdict: Verdict; readonly why: string }>();
  const [draft, setDraft] = useState<string>();
  const [said, setSaid] = useState("");
  const current = kept ?? { verdict, why };
  const reason = draft ?? current.why;
  const isNew = reason.trim() !== current.why.trim();
  const save = async (next: Verdict) => {
    try {
      await markRun(run, next, reason);
      setKept({ verdict: next, why: next === "none" ? "" : reason });
      // What was typed stays, so that nobody has to write it again.
      setDraft(next === "none" ? reason : undefined);
      setSaid(next === "none" ? words.takenBack : words.saved);
      onJudged?.();
    } catch (error) {
      setSaid(problemOf(error).message);
    }
  };
  const isJudged = current.verdict !== "none";
  const submit = (event: Event) => {
    event.preventDefault();
    if (isJudged) void save(current.verdict);
  };
  return (
    <form class="judgement" onSubmit={submit}>
      {(["good", "bad"] as const).map((each) => (
        <button
          type="button"
          aria-pressed={current.verdict === each}
          onClick={() => void save(current.verdict === each && !isNew ? "none" : each)}
        >
          {words[each]}
        </button>
      ))}
      {isJudged && (
        <input
          type="text"
          aria-label={words.why}
          placeholder={words.why}
          maxLength={2_000}
          value={reason}
          onInput={({ currentTarget }) => {
            setDraft(currentTarget.value);
            setSaid("");
          }}
        />
      )}
      {isJudged && isNew && <button type="submit">{words.save}</button>}
      <span role="status" class="small">
        {said}
      </span>
    </form>
  );
}
