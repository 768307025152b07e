import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { listAssistants, type Assistant } from "../api/threads.js";
import { stepViews } from "../model/plan-view.js";
import { later } from "../shell/later.js";
import { ProblemView } from "../shell/problem.js";
import { useNow } from "../shell/use-now.js";
import { useWords } from "../text/context.js";
import { Composer } from "./composer.js";
import { type Attachment, contentOf, questionOf } from "./attachments.js";
import { type Problem, problemOf } from "../api/problem.js";
import { type Message, newQuestion } from "../model/thread-state.js";
import { Conversation, type ShownTurn } from "./conversation.js";

/** The conversation of a thread, and a pane for the step that was chosen. */
export function Chat({
  thread,
  onMoved,
  onChanged,
}: {
  readonly thread: string | undefined;
  readonly onMoved: (thread: string) => void;
  /** Called when a run has begun or come to rest. */
  readonly onChanged: () => void;
}) {
  const words = useWords();
  const conversation = useConversation(thread, onMoved);
  const {
    assistants,
    chosen: graph,
    choose: chooseGraph,
    read: readGraph,
    problem: graphProblem,
  } = useAssistants(conversation.assistant);
  const [chosen, setChosen] = useState<{ readonly turn: number; readonly key: string }>();
  const { isRunning, turns, interrupts } = conversation;
  const now = useNow(isRunning);
  const asked = useMemo(() => askedIn(conversation), [interrupts]);
  const last = turns.length - 1;
  const stepsOf = (at: number) =>
    stepViews(turns[at]?.run?.rows() ?? [], at === last ? asked : new Set());
  const shown = chosen === undefined ? [] : stepsOf(chosen.turn);
  const step = shown.find(({ key }) => key === chosen?.key);
  const chooseLast = (key: string) => setChosen({ turn: last, key });
  const inside = useFollowing();
  const { ask, askAgain, decide } = sendingOf(conversation, readGraph, inside);
  useTitle(turns[0]?.question.text ?? "", interrupts.length > 0);
  useEffect(onChanged, [isRunning, interrupts.length]);
  useLoadedEarly();
  return (
    <div class={step === undefined ? "chat" : "chat with-pane"}>
      <div class="column">
        <div class="turns">
          <div ref={inside} tabIndex={-1}>
            {turns.length === 0 && !conversation.isLoading && (
              <Welcome assistants={assistants} graph={graph} onChoose={chooseGraph} />
            )}
            {conversation.isLoading && (
              <p class="waiting" role="status">
                {words.loading}
              </p>
            )}
            {turns.map((turn, at) => (
              <TurnView
                turn={turn}
                isRunning={isRunning && at === last}
                partial={conversation.partial}
                asked={at === last ? asked : new Set()}
                now={now}
                chosen={chosen?.turn === at ? chosen.key : undefined}
                onChoose={({ key }) => setChosen({ turn: at, key })}
                onShowRun={() => void conversation.showRun(at)}
                onAskAgain={isRunning ? undefined : (text) => askAgain(text, turn, at)}
              />
            ))}
            {interrupts.length > 0 && (
              <Requests
                key={interrupts.map(({ id }) => id).join()}
                interrupts={interrupts}
                isSending={isRunning}
                steps={stepsOf(last)}
                onChoose={chooseLast}
                onDecide={decide}
              />
            )}
            {conversation.isReconnecting && (
              <p class="waiting" role="status">
                {words.reconnecting}
              </p>
            )}
            <ProblemView
              problem={conversation.problem ?? graphProblem}
              onClose={() => conversation.dismiss()}
            />
          </div>
        </div>
        <Composer
          isRunning={isRunning}
          isWaiting={interrupts.length > 0}
          onSend={ask}
          onStop={() => void conversation.stop()}
        />
      </div>
      {step !== undefined && (
        <Pane
          steps={shown}
          step={step}
          now={now}
          onChoose={(key) => setChosen({ turn: chosen?.turn ?? last, key })}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  );
}

/** What a person may send: a question, an edited one in the place of an earlier one, decisions. */
function sendingOf(
  conversation: Conversation,
  assistant: () => Promise<string>,
  inside: { readonly current: HTMLElement | null },
) {
  const send = (question: Message, onAccepted?: () => void, at?: number) => {
    const sent = { assistant, question, content: contentOf(question), at };
    void conversation.send(sent, onAccepted);
  };
  return {
    ask: (text: string, files: readonly Attachment[], onAccepted: () => void) =>
      send(questionOf(text, files), onAccepted),
    askAgain: (text: string, { question }: ShownTurn, at: number) =>
      send(newQuestion(text, question), undefined, at),
    decide: (decisions: ReadonlyMap<string, unknown>) => {
      void conversation.decide(assistant, decisions);
      // What was decided goes away: whoever reads with the keyboard goes on with the run.
      inside.current?.focus({ preventScroll: true });
    },
  };
}

/** Loads what is needed later after what is needed now. */
function useLoadedEarly(): void {
  useEffect(() => {
    for (const load of [loadTurn, loadRequests]) void load().catch(() => undefined);
  }, []);
}

const loadTurn = async () => (await import("./turn.js")).TurnView;
const TurnView = later(loadTurn);
const loadRequests = async () => (await import("./requests.js")).Requests;
const Requests = later(loadRequests);
const Pane = later(async () => (await import("./pane.js")).Pane);

type WelcomeProps = {
  readonly assistants: readonly Assistant[];
  readonly graph: string;
  readonly onChoose: (id: string) => void;
};

function Welcome({ assistants, graph, onChoose }: WelcomeProps) {
  const words = useWords();
  return (
    <div class="welcome">
      <h2>{words.welcome}</h2>
      <p>{words.welcomeHint}</p>
      {assistants.length > 1 && (
        <label>
          {words.graph}{" "}
          <select value={graph} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
            {assistants.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** How long what comes is gathered before it is drawn, in milliseconds. */
const drawMs = 30;

/** The conversation of a thread, drawn anew when something has come. */
function useConversation(
  thread: string | undefined,
  onMoved: (thread: string) => void,
): Conversation {
  const [, draw] = useState(0);
  const conversation = useMemo(() => {
    let isDue = false;
    const tell = () => {
      if (isDue) return;
      isDue = true;
      // Frames stand still in a window that is not seen.
      setTimeout(() => {
        isDue = false;
        draw((count) => count + 1);
      }, drawMs);
    };
    return new Conversation(tell, onMoved);
  }, []);
  useEffect(() => {
    if (thread !== undefined) void conversation.open(thread);
    return () => conversation.close();
  }, [conversation]);
  return conversation;
}

/** Names the window after a conversation, with a sign where it waits for a person. */
function useTitle(title: string, isWaiting: boolean): void {
  useEffect(() => {
    const name = title === "" ? "plangraph" : `${title} · plangraph`;
    document.title = isWaiting ? `(?) ${name}` : name;
  }, [title, isWaiting]);
}

/** The steps that wait for a person. */
function askedIn({ interrupts }: Conversation): ReadonlySet<string> {
  return new Set(interrupts.flatMap(({ asked }) => asked.flatMap(({ callId }) => callId ?? [])));
}

const graphKey = "plangraph.graph";

/** The graphs of the server, and the one that is asked. */
function useAssistants(ofThread: string | undefined) {
  const [assistants, setAssistants] = useState<readonly Assistant[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [wanted, setWanted] = useState(localStorage.getItem(graphKey) ?? "");
  const reading = useRef<Promise<readonly Assistant[]> | undefined>(undefined);
  const readAll = async () => {
    reading.current ??= listAssistants();
    try {
      const all = await reading.current;
      setAssistants(all);
      setProblem(undefined);
      return all;
    } catch (error) {
      reading.current = undefined;
      throw error;
    }
  };
  useEffect(() => {
    readAll().catch((error: unknown) => setProblem(problemOf(error)));
  }, []);
  const chosenOf = (all: readonly Assistant[]) =>
    ofThread ?? (all.find(({ id }) => id === wanted) ?? all[0])?.id ?? "";
  const choose = (id: string) => {
    localStorage.setItem(graphKey, id);
    setWanted(id);
  };
  // A question may be asked before they are there.
  const read = async () => ofThread ?? chosenOf(await readAll());
  return { assistants, chosen: chosenOf(assistants), choose, read, problem };
}

/** How far from the end a reader still follows, in pixels. */
const nearEnd = 80;

/** Keeps the newest in sight, unless the reader has scrolled up. */
function useFollowing() {
  const inside = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [content, list] = [inside.current, inside.current?.parentElement];
    if (content === null || list === null || list === undefined) return undefined;
    let follows = true;
    const onScroll = () => {
      follows = list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd;
    };
    const watch = new ResizeObserver(() => {
      if (follows) list.scrollTop = list.scrollHeight;
    });
    watch.observe(content);
    watch.observe(list);
    list.addEventListener("scroll", onScroll);
    return () => {
      watch.disconnect();
      list.removeEventListener("scroll", onScroll);
    };
  }, []);
  return inside;
}
