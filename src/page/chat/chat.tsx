import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { listAssistants, type Assistant } from "../api/threads.js";
import { stepViews } from "../model/plan-view.js";
import { later } from "../shell/later.js";
import { Announced, State } from "./state.js";
import { useNow } from "../shell/use-now.js";
import { useWords } from "../text/context.js";
import type { Words } from "../text/words.js";
import { Composer } from "./composer.js";
import type { Attachment } from "./attachments.js";
import { type Problem, problemOf } from "../api/problem.js";
import { contentOf, type Message, newQuestion } from "../model/thread-state.js";
import { Conversation, type ShownTurn } from "./conversation.js";
import { isEnded } from "./thread-runs.js";

/** The conversation of a thread, and a pane for the step that was chosen. */
export function Chat({
  thread,
  waiting,
  onMoved,
  onChanged,
}: {
  readonly thread: string | undefined;
  /** How many other conversations wait for a person. */
  readonly waiting: number;
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
  const isOver = (at: number) => at < last || (!isRunning && hasEnded(turns[at]));
  const stepsOf = (at: number) =>
    stepViews(turns[at]?.run?.rows() ?? [], at === last ? asked : new Set(), isOver(at));
  const shown = chosen === undefined ? [] : stepsOf(chosen.turn);
  const step = shown.find(({ key }) => key === chosen?.key);
  const chooseLast = (key: string) => setChosen({ turn: last, key });
  const { inside, toEnd } = useFollowing();
  const { ask, askAgain, decide } = sendingOf(conversation, readGraph, toEnd);
  useTitle(turns[0]?.question.text ?? "", interrupts.length > 0, waiting);
  useEffect(onChanged, [isRunning, interrupts.length]);
  useLoadedEarly();
  return (
    <div class={step === undefined ? "chat" : "chat with-pane"}>
      <div class="column">
        <Announced>{interrupts.length > 0 && words.states.asking}</Announced>
        <div class="turns">
          <div ref={inside} tabIndex={-1}>
            {turns.length === 0 && !conversation.isLoading && (
              <Welcome assistants={assistants} graph={graph} onChoose={chooseGraph} />
            )}
            {turns.map((turn, at) => (
              <TurnView
                turn={turn}
                isRunning={isRunning && at === last}
                isOver={isOver(at)}
                partial={conversation.stream?.text ?? ""}
                asked={at === last ? asked : new Set()}
                now={now}
                chosen={chosen?.turn === at ? chosen.key : undefined}
                onChoose={({ key }) => setChosen({ turn: at, key })}
                onShowRun={() => void conversation.showRun(at)}
                onAskAgain={isRunning ? undefined : (text) => askAgain(text, turn, at)}
                askingAgain={askingAgainOf(turns.slice(at), words)}
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
            <State conversation={conversation} graphProblem={graphProblem} />
          </div>
        </div>
        <Composer
          thread={thread ?? ""}
          isRunning={isRunning}
          canStop={conversation.stream?.run !== undefined}
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
  toEnd: () => void,
) {
  const send = (question: Message, onAccepted?: () => void, at?: number) => {
    const sent = { assistant, question, content: contentOf(question), at };
    void conversation.send(sent, onAccepted);
    toEnd();
  };
  return {
    ask: (text: string, files: readonly Attachment[], onAccepted: () => void) =>
      send(
        newQuestion(text, {
          images: files.flatMap(({ image }) => image ?? []),
          files: files.filter(({ image }) => image === undefined).map(({ name }) => name),
          attached: files.map(({ part }) => part),
        }),
        onAccepted,
      ),
    askAgain: (text: string, { question }: ShownTurn, at: number) =>
      send(newQuestion(text, question), undefined, at),
    decide: (decisions: ReadonlyMap<string, unknown>) => {
      void conversation.decide(assistant, decisions);
      toEnd();
    },
  };
}

/** Whether a question's run has come to its end. */
function hasEnded(turn: ShownTurn | undefined): boolean {
  return turn?.run !== undefined && isEnded(turn.run);
}

/** What becomes of these questions if the first of them is asked again; empty where nothing does. */
function askingAgainOf(turns: readonly ShownTurn[], words: Words): string {
  if (turns[0]?.before === 0) return words.askAgainElsewhere;
  const isDone = turns.some(({ run }) => run?.rows().some(({ state }) => state === "done"));
  return isDone ? words.askAgainStays : "";
}

/** Loads what is needed later after what is needed now. */
function useLoadedEarly(): void {
  useEffect(() => void loadParts().catch(() => undefined), []);
}

const loadParts = () => import("./parts.js");
const TurnView = later(async () => (await loadParts()).TurnView);
const Requests = later(async () => (await loadParts()).Requests);
const Pane = later(async () => (await loadParts()).Pane);

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

/** Names the window after a conversation, with a sign where it waits for a person, and how many others do. */
function useTitle(title: string, isWaiting: boolean, others: number): void {
  useEffect(() => {
    const name = title === "" ? "plangraph" : `${title.slice(0, 60)} · plangraph`;
    const signs = [...(isWaiting ? ["(?)"] : []), ...(others > 0 ? [`(${others})`] : [])];
    document.title = [...signs, name].join(" ");
  }, [title, isWaiting, others]);
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

/** Keeps the newest in sight, unless the reader has scrolled up. `toEnd` goes there, with the focus. */
function useFollowing() {
  const inside = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const [content, list] = [inside.current, inside.current?.parentElement];
    if (content === null || list === null || list === undefined) return undefined;
    let top = 0;
    const onScroll = () => {
      const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd;
      // The page's own scrolling is told late, when more has come: only a reader goes up.
      if (isAtEnd || list.scrollTop < top) follows.current = isAtEnd;
      top = list.scrollTop;
    };
    const watch = new ResizeObserver(() => {
      if (follows.current) list.scrollTop = list.scrollHeight;
    });
    watch.observe(content);
    watch.observe(list);
    list.addEventListener("scroll", onScroll);
    return () => {
      watch.disconnect();
      list.removeEventListener("scroll", onScroll);
    };
  }, []);
  const toEnd = () => {
    follows.current = true;
    const list = inside.current?.parentElement;
    if (list !== null && list !== undefined) list.scrollTop = list.scrollHeight;
    // What was decided goes away: whoever reads with the keyboard goes on with the run.
    if (document.activeElement?.closest(".composer") === null) {
      inside.current?.focus({ preventScroll: true });
    }
  };
  return { inside, toEnd };
}
