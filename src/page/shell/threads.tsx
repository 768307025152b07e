import { useEffect, useState } from "preact/hooks";

import { type Problem, problemOf } from "../api/problem.js";
import { deleteThread, listThreads, type Thread } from "../api/threads.js";
import { useWords } from "../text/context.js";
import { timeOfDay } from "../text/format.js";
import { ProblemView } from "./problem.js";

type Props = {
  readonly current: string | undefined;
  /** How often the current one has changed: then the list is read again. */
  readonly changes: number;
  readonly onOpen: (thread: string | undefined) => void;
  /** Told how many others wait for a person. */
  readonly onWaiting: (count: number) => void;
};

/** How many conversations are listed at first, and how many more at a time. */
const pageSize = 50;

/** So many conversations can be looked through without a search. */
const fewThreads = 8;

/** The conversations, the newest first, with a sign at those that wait for a person. */
export function Threads({ current, changes, onOpen, onWaiting }: Props) {
  const words = useWords();
  const [threads, setThreads] = useState<readonly Thread[]>();
  const [most, setMost] = useState(pageSize);
  const [wanted, setWanted] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const read = () => void listThreads(most).then(setThreads, () => undefined);
  useEffect(() => {
    read();
    const timer = window.setInterval(() => {
      if (!document.hidden) read();
    }, 5_000);
    return () => window.clearInterval(timer);
  }, [current, changes, most]);
  const all = threads ?? [];
  const waiting = all.filter(({ id, status }) => status === "interrupted" && id !== current);
  useEffect(() => onWaiting(waiting.length), [waiting.length]);
  const remove = async (id: string) => {
    try {
      await deleteThread(id);
      if (id === current) onOpen(undefined);
    } catch (error) {
      setProblem(problemOf(error));
    }
    read();
  };
  const found = all.filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <nav class="threads" aria-label={words.conversations}>
      <button type="button" class="main" onClick={() => onOpen(undefined)}>
        {words.newChat}
      </button>
      <p class="small waits" role="status">
        {waiting.length > 0 && words.waitElsewhere(waiting.length)}
      </p>
      {all.length > fewThreads && (
        <input
          type="search"
          aria-label={words.findConversation}
          placeholder={words.findConversation}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      <ProblemView problem={problem} onClose={() => setProblem(undefined)} />
      {threads?.length === 0 && <p class="small">{words.noConversations}</p>}
      <ul>
        {found.map((thread) => (
          <ThreadRow
            key={thread.id}
            thread={thread}
            isCurrent={thread.id === current}
            onOpen={onOpen}
            onDelete={() => void remove(thread.id)}
          />
        ))}
      </ul>
      {all.length === most && (
        <button type="button" class="quiet" onClick={() => setMost(most + pageSize)}>
          {words.olderConversations}
        </button>
      )}
    </nav>
  );
}

type RowProps = Pick<Props, "onOpen"> & {
  readonly thread: Thread;
  readonly isCurrent: boolean;
  readonly onDelete: () => void;
};

function ThreadRow({ thread, isCurrent, onOpen, onDelete }: RowProps) {
  const words = useWords();
  const { id, title, status, updatedAt } = thread;
  const [isDoomed, setDoomed] = useState(false);
  const name = title === "" ? id.slice(0, 8) : title;
  const open = (event: MouseEvent) => {
    // Elsewhere is where the browser opens it.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <li class={isCurrent ? "current" : ""}>
      {isDoomed ? (
        <button
          type="button"
          class="danger"
          onClick={() => {
            setDoomed(false);
            onDelete();
          }}
        >
          {status === "interrupted" || status === "busy" ? words.deleteAtWork : words.deleteSure}
        </button>
      ) : (
        <a
          href={`/chat/${id}`}
          title={name}
          aria-current={isCurrent ? "page" : undefined}
          onClick={open}
        >
          <Standing status={status} />
          {name}
          <time dateTime={updatedAt}>{timeOfDay(Date.parse(updatedAt), Date.now())}</time>
        </a>
      )}
      {/* The second click of a double click keeps it. */}
      <button
        type="button"
        class="quiet"
        aria-label={`${isDoomed ? words.cancel : words.deleteConversation}: ${name}`}
        title={isDoomed ? words.cancel : words.deleteConversation}
        onClick={() => setDoomed(!isDoomed)}
      >
        {isDoomed ? "↶" : "×"}
      </button>
    </li>
  );
}

/** A sign where a conversation is at work, or waits for a person. */
function Standing({ status }: { readonly status: string }) {
  const words = useWords();
  const state = status === "interrupted" ? "asking" : status === "busy" ? "running" : undefined;
  if (state === undefined) return null;
  return (
    <span class={`sign ${state}`} title={words.states[state]}>
      <span aria-hidden="true">{state === "asking" ? "?" : "◐"}</span>
      <span class="hidden">{words.states[state]}: </span>
    </span>
  );
}
