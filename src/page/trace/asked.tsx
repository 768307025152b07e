import type { Request } from "../model/requests.js";
import { Value } from "../plan/step-details.js";
import { timeOfDay } from "../text/format.js";
import { useRunWords } from "../text/use-run-words.js";
import { decisionText } from "./decision-text.js";

type AskedProps = {
  readonly request: Request;
  readonly thread: string | undefined;
  /** It does not stand below the name of its call. */
  readonly isNamed: boolean;
};

/** What a run waits for a person with, and where it is decided. */
export function AskedNow({ request, thread, isNamed }: AskedProps) {
  const { tool, callId, args, description = "", askedAt } = request;
  const said = useRunWords();
  const question = args?.["question"];
  return (
    <div class="card request">
      {isNamed && <h4>{tool === "" ? callId : tool}</h4>}
      <p>{said.waitsSince(timeOfDay(askedAt, Date.now()))}</p>
      {typeof question !== "string" && description !== "" && <p>{description}</p>}
      {typeof question === "string" && <p>{question}</p>}
      {args !== undefined && <Value name={said.arguments} value={args} />}
      {thread !== undefined && (
        <p>
          <a href={`/chat/${thread}`}>{said.decideThere}</a>
        </p>
      )}
    </div>
  );
}

/** What people decided on a call. */
export function Decisions({ requests }: { readonly requests: readonly Request[] }) {
  const said = useRunWords();
  const decided = requests.flatMap((request) => request.decided ?? []);
  return decided.map((decision) => (
    <p class={`decision ${decision.decision}`}>{decisionText(decision, said)}</p>
  ));
}
