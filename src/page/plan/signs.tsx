import type { StepState } from "../model/plan-view.js";
import { useWords } from "../text/context.js";

const signs: { readonly [State in StepState]: string } = {
  open: "○",
  running: "◐",
  asking: "?",
  done: "✓",
  failed: "✗",
  skipped: "⤼",
  dropped: "–",
  denied: "⊘",
  stopped: "■",
};

/** How a step stands: a sign for the eye, a word for whoever hears the page. */
export function Sign({ state }: { readonly state: StepState }) {
  const words = useWords();
  return (
    <span class={`sign ${state}`} title={words.states[state]}>
      <span aria-hidden="true">{signs[state]}</span>
      <span class="hidden">{words.states[state]}</span>
    </span>
  );
}
