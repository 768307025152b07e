import { useEffect, useRef } from "preact/hooks";

import { criticalPath } from "../model/plan-figures.js";
import type { StepView } from "../model/plan-view.js";
import { PlanGraph } from "../plan/plan-graph.js";
import { StepDetails } from "../plan/step-details.js";
import { useWords } from "../text/context.js";

type PaneProps = {
  readonly steps: readonly StepView[];
  readonly step: StepView;
  readonly now: number;
  readonly onChoose: (key: string) => void;
  readonly onClose: () => void;
};

/** The plan as a picture, and below it the step that was chosen. */
export function Pane({ steps, step, now, onChoose, onClose }: PaneProps) {
  const words = useWords();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    pane.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onClose();
  };
  return (
    <aside class="pane" aria-label={words.step} tabIndex={-1} ref={pane} onKeyDown={onKeyDown}>
      <button type="button" class="quiet close" aria-label={words.close} onClick={onClose}>
        ×
      </button>
      <PlanGraph
        steps={steps}
        critical={criticalPath(steps)}
        chosen={step.key}
        onChoose={onChoose}
      />
      <StepDetails step={step} now={now} />
    </aside>
  );
}
