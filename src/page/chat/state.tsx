import type { ComponentChildren } from "preact";

import type { Problem } from "../api/problem.js";
import { ProblemView } from "../shell/problem.js";
import { useWords } from "../text/context.js";
import type { Conversation } from "./conversation.js";

/** What whoever hears the page is told. */
export function Announced({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="hidden" role="status">
      {children}
    </p>
  );
}

type StateProps = {
  readonly conversation: Conversation;
  readonly graphProblem: Problem | undefined;
};

/** What hinders the conversation now, if anything does. */
export function State({ conversation, graphProblem }: StateProps) {
  const words = useWords();
  const isLost = conversation.stream?.isReconnecting === true;
  return (
    <>
      {(conversation.isLoading || isLost) && (
        <p class="waiting" role="status">
          {isLost ? words.reconnecting : words.loading}
        </p>
      )}
      <ProblemView
        problem={conversation.problem ?? graphProblem}
        onClose={() => conversation.dismiss()}
      />
    </>
  );
}
