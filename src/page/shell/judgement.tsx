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

/** Judges a run: it was good, or bad; the same again takes that back. */
export function Judgement({ run, verdict = "none", why = "", onJudged }: Props) {
  const words = useWords();
  const [chosen, setChosen] = useState<Verdict>();
  const [said, setSaid] = useState("");
  const current = chosen ?? verdict;
  const judge = async (wanted: Verdict) => {
    const next = current === wanted ? "none" : wanted;
    await markRun(run, next, why);
    setChosen(next);
    setSaid(words.saved);
    onJudged?.();
  };
  return (
    <>
      {(["good", "bad"] as const).map((each) => (
        <button
          type="button"
          aria-pressed={current === each}
          onClick={() =>
            void judge(each).catch((error: unknown) => setSaid(problemOf(error).message))
          }
        >
          {words[each]}
        </button>
      ))}
      <span role="status" class="small">
        {said}
      </span>
    </>
  );
}
