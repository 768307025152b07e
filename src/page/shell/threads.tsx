import { useEffect, useState } from "preact/hooks";

import { type Problem, problemOf } from "../api/problem.js";
import { deleteThread, listThreads, type Thread } from "../api/threads.js";
import { useWords } from "../text/context.js";
import { ProblemView } from "./problem.js";

type Props = {
  readonly current: string | undefined;
  /** How often the current one has changed: then the list is read again. */
  readonly changes: number;
  readonly onOpen: (thread: string | undefined) => void;
};

/** How many conversations are listed at first, and how many more at a time. */
const pageSize = 50;

/** The conversations, the newest first, with a sign at those that wait for a person. */
export function Threads({ current, changes, onOpen }: Props) {
  const words = useWords();
  const [threads, setThreads] = useState<readonly Thread[]>([]);
  const [most, setMost] = useState(pageSize);
  const [doomed, setDoomed] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const read = () => void listThreads(most).then(setThreads, () => undefined);
  useEffect(() => {
    read();
    const timer = window.setInterval(() => {
      if (!document.hidden) read();
    }, 5_000);
    return () => window.clearInterval(timer);
  }, [current, changes, most]);
  const remove = async (id: string) => {
    if (doomed !== id) {
      setDoomed(id);
      return;
    }
    setDoomed(undefined);
    try {
      await deleteThread(id);
      if (id === current) onOpen(undefined);
    } catch (error) {
      setProblem(problemOf(error));
    }
    read();
  };
  return (
    <nav class="threads" aria-label={words.conversations}>
      <button type="button" class="main" onClick={() => onOpen(undefined)}>
        {words.newChat}
      </button>
      <ProblemView problem={problem} onClose={() => setProblem(undefined)} />
      {threads.length === 0 && <p class="small">{words.noConversations}</p>}
      <ul>
        {threads.map(({ id, title, status }) => (
          <li class={id === current ? "current" : ""}>
            <a
              href={`/chat/${id}`}
              aria-current={id === current ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                onOpen(id);
              }}
            >
              {status === "interrupted" && (
                <span class="sign asking" title={words.states.asking}>
                  ?
                </span>
              )}
              {status === "busy" && (
                <span class="sign running" title={words.states.running}>
                  ◐
                </span>
              )}
              {title === "" ? id.slice(0, 8) : title}
            </a>
            <button
              type="button"
              class="quiet"
              aria-label={`${words.deleteConversation}: ${title}`}
              title={doomed === id ? words.deleteSure : words.deleteConversation}
              onClick={() => void remove(id)}
              onBlur={() => setDoomed(undefined)}
            >
              {doomed === id ? words.deleteSure : "×"}
            </button>
          </li>
        ))}
      </ul>
      {threads.length === most && (
        <button type="button" class="quiet" onClick={() => setMost(most + pageSize)}>
          {words.olderConversations}
        </button>
      )}
    </nav>
  );
}
