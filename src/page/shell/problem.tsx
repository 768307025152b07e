import { useId, useState } from "preact/hooks";

import { hasToken, keepToken } from "../api/client.js";
import type { Problem } from "../api/problem.js";
import { useWords } from "../text/context.js";

/** What went wrong and what to do about it. */
export function ProblemView({
  problem,
  onClose,
}: {
  readonly problem: Problem | undefined;
  readonly onClose: () => void;
}) {
  const words = useWords();
  if (problem === undefined) return null;
  const { kind, message } = problem;
  const says = kind === "refused" || kind === "failed" || kind === "forbidden";
  return (
    <div class="card alert" role="alert">
      <p>{words.problems[kind]}</p>
      {says && message !== "" && <p class="small">{message.slice(0, 1_000)}</p>}
      {kind === "token" ? (
        <TokenForm />
      ) : (
        <button type="button" onClick={onClose}>
          {words.close}
        </button>
      )}
    </div>
  );
}

function TokenForm() {
  const words = useWords();
  const id = useId();
  const [token, setToken] = useState("");
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        keepToken(token.trim());
        location.reload();
      }}
    >
      {hasToken() && <p class="problem">{words.tokenRefused}</p>}
      <label for={id}>{words.tokenLabel}</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        value={token}
        onInput={({ currentTarget }) => setToken(currentTarget.value)}
      />
      <button type="submit" class="main">
        {words.tokenUse}
      </button>
    </form>
  );
}
