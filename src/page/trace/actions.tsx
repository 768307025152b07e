import { useState } from "preact/hooks";

import { exportRun, type ReadRun } from "../api/traces.js";
import { problemOf } from "../api/problem.js";
import { runCurl } from "../model/curl.js";
import { Judgement } from "../shell/judgement.js";
import { useRunWords } from "../text/use-run-words.js";
import { CopyButton } from "../shell/copy-button.js";

type Props = Pick<ReadRun, "run" | "link"> & {
  /** It had a plan that can be a workflow. */
  readonly hasPlan: boolean;
  readonly onChanged: () => void;
};

/** Judges a run, and makes a test or a workflow of it. */
export function Actions({ run, link, hasPlan, onChanged }: Props) {
  const said = useRunWords();
  const [problem, setProblem] = useState("");
  const tell = (error: unknown) => setProblem(problemOf(error).message);
  const save = async (as: "test" | "workflow") => {
    const ending = as === "test" ? "test.mjs" : "workflow.yaml";
    download(`${run.id.slice(0, 8)}.${ending}`, await exportRun(run.id, as));
  };
  const { id, graph, graphId = graph, question, mark } = run;
  return (
    <div class="actions">
      <Judgement run={id} verdict={mark?.verdict} why={mark?.why} onJudged={onChanged} />
      <button type="button" onClick={() => void save("test").catch(tell)}>
        {said.makeTest}
      </button>
      {hasPlan && (
        <button type="button" onClick={() => void save("workflow").catch(tell)}>
          {said.keepWorkflow}
        </button>
      )}
      {question !== undefined && (
        <CopyButton label={said.copyCurl} text={runCurl(location.origin, graphId, question)} />
      )}
      {link !== undefined && (
        <a href={link} target="_blank" rel="noreferrer">
          {said.openTracing}
        </a>
      )}
      <span role="status" class="small">
        {problem}
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
