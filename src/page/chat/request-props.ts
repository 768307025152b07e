import type { Draft } from "../model/decisions.js";
import type { StepView } from "../model/plan-view.js";
import type { Asked } from "../model/thread-state.js";

/** A request with what was decided on it. */
export type RequestProps = {
  readonly request: Asked;
  readonly draft: Draft | undefined;
  readonly steps: readonly StepView[];
  readonly onChoose: (key: string) => void;
  readonly onDecide: (draft: Draft | undefined) => void;
  /** Whether its arguments are other ones than those that were asked for. */
  readonly onTouch: (isChanged: boolean) => void;
};
