import { useId, useState } from "preact/hooks";

import { exportRun, type ReadRun } from "../api/traces.js";
import { problemOf } from "../api/problem.js";
import { runCurl } from "../model/curl.js";
import { Judgement } from "../shell/judgement.js";
import { useWords } from "../text/context.js";
import { CopyButton } from "./copy-button.js";

/** Judges a run, and makes a test or a workflow of it. */
export function Actions({
  run,
  link,
  onChanged,
}: Pick<ReadRun, "run" | "link"> & { readonly onChanged: () => void }) {
  const words = useWords();
  const id = useId();
  const [why, setWhy] = useState(run.mark?.why ?? "");
  const [said, setSaid] = useState("");
  const tell = (error: unknown) => setSaid(problemOf(error).message);
  const save = async (as: "test" | "workflow") => {
    const ending = as === "test" ? "test.mjs" : "workflow.yaml";
    download(`${run.id.slice(0, 8)}.${ending}`, await exportRun(run.id, as));
  };
  return (
    <div class="actions">
      <label class="hidden" for={id}>
        {words.why}
      </label>
      <input
        id={id}
        type="text"
        placeholder={words.why}
        value={why}
        onInput={({ currentTarget }) => setWhy(currentTarget.value)}
      />
      <Judgement run={run.id} verdict={run.mark?.verdict} why={why} onJudged={onChanged} />
      <button type="button" onClick={() => void save("test").catch(tell)}>
        {words.makeTest}
      </button>
      <button type="button" onClick={() => void save("workflow").catch(tell)}>
        {words.keepWorkflow}
      </button>
      {run.question !== undefined && (
        <CopyButton
          label={words.copyCurl}
          text={runCurl(location.origin, run.graph, run.question)}
        />
      )}
      {link !== undefined && (
        <a href={link} target="_blank" rel="noreferrer">
          {words.openTracing}
        </a>
      )}
      <span role="status" class="small">
        {said}
      </span>
    </div>
  );
}

/** Gives the reader a text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
