import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Chat } from "./chat/chat.js";
import { later } from "./shell/later.js";
import { useWords, WordsContext } from "./text/context.js";
import { firstLanguage, languageNames, loadWords } from "./text/languages.js";
import type { Language, Words } from "./text/words.js";

const keys = { language: "plangraph.language", theme: "plangraph.theme" };

/** What an address shows. */
type Screen =
  | { readonly kind: "chat"; readonly thread: string | undefined }
  | { readonly kind: "trace"; readonly run: string }
  | { readonly kind: "runs" };

function screenAt(path: string): Screen {
  const [, kind, id] = path.split("/");
  if (kind === "trace" && id !== undefined) return { kind: "trace", run: id };
  return kind === "runs" ? { kind: "runs" } : { kind: "chat", thread: id === "" ? undefined : id };
}

function App() {
  const { language, words, choose } = useLanguage();
  const [screen, setScreen] = useState(screenAt(location.pathname));
  const [opened, setOpened] = useState(0);
  const [changes, setChanges] = useState(0);
  const [isListed, setListed] = useState(false);
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    const onMove = () => {
      setScreen(screenAt(location.pathname));
      setOpened((count) => count + 1);
    };
    window.addEventListener("popstate", onMove);
    return () => window.removeEventListener("popstate", onMove);
  }, []);
  const open = (thread: string | undefined) => {
    history.pushState(undefined, "", thread === undefined ? "/chat" : `/chat/${thread}`);
    setScreen({ kind: "chat", thread });
    setOpened((count) => count + 1);
    setListed(false);
  };
  // The first question makes a thread: the page has its address from then on, and goes on with what it shows.
  const moved = (thread: string) => {
    history.replaceState(undefined, "", `/chat/${thread}`);
    setScreen({ kind: "chat", thread });
  };
  const changed = () => setChanges((count) => count + 1);
  const thread = screen.kind === "chat" ? screen.thread : undefined;
  if (words === undefined) return null;
  return (
    <WordsContext.Provider value={words}>
      <Header
        language={language}
        onLanguage={choose}
        screen={screen.kind}
        waiting={waiting}
        onList={() => setListed(!isListed)}
        isListed={isListed}
      />
      <main class={isListed ? "listed" : ""}>
        {screen.kind === "chat" && (
          <Threads current={thread} changes={changes} onOpen={open} onWaiting={setWaiting} />
        )}
        {screen.kind === "chat" && (
          <Chat
            key={opened}
            thread={thread}
            waiting={waiting}
            onMoved={moved}
            onChanged={changed}
          />
        )}
        {screen.kind === "trace" && <Trace id={screen.run} />}
        {screen.kind === "runs" && <Runs />}
      </main>
    </WordsContext.Provider>
  );
}

/** The chosen language with its words, once they are loaded. */
function useLanguage() {
  const [language, choose] = useState(
    firstLanguage(localStorage.getItem(keys.language), navigator.language),
  );
  const [words, setWords] = useState<Words>();
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    localStorage.setItem(keys.language, language);
    void loadWords(language).then(setWords);
  }, [language]);
  return { language, words, choose };
}

const Threads = later(async () => (await import("./chat/parts.js")).Threads);
const Trace = later(async () => (await import("./trace/trace.js")).Trace);
const Runs = later(async () => (await import("./runs/runs.js")).Runs);

type HeaderProps = {
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  readonly screen: Screen["kind"];
  /** How many conversations wait for a person. */
  readonly waiting: number;
  readonly onList: () => void;
  readonly isListed: boolean;
};

function Header({ language, onLanguage, screen, waiting, onList, isListed }: HeaderProps) {
  const said = useWords();
  const other = language === "en" ? "zh" : "en";
  return (
    <header>
      {screen === "chat" && <SkipLink />}
      {screen === "chat" && (
        <button
          type="button"
          class="quiet list"
          aria-label={`${said.conversations}${waiting > 0 ? `: ${said.waitElsewhere(waiting)}` : ""}`}
          aria-expanded={isListed}
          onClick={onList}
        >
          ☰{waiting > 0 && ` ${waiting}`}
        </button>
      )}
      <h1>
        <a href="/chat">plangraph</a>
      </h1>
      <a href="/chat" aria-current={screen === "chat" ? "page" : undefined}>
        {said.conversations}
      </a>
      <a href="/runs" aria-current={screen === "runs" ? "page" : undefined}>
        {said.runs}
      </a>
      <button type="button" class="quiet" onClick={() => onLanguage(other)}>
        {languageNames[other]}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={said.theme}
        title={said.theme}
        onClick={changeTheme}
      >
        ◑
      </button>
    </header>
  );
}

function goToQuestion(event: Event): void {
  event.preventDefault();
  document.getElementById("ask")?.focus();
}

/** Past the list of conversations, to the field where a question is written. */
function SkipLink() {
  const said = useWords();
  return (
    <a class="skip" href="#ask" onClick={goToQuestion}>
      {said.ask}
    </a>
  );
}

function changeTheme(): void {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset["theme"] ?? (isDark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  localStorage.setItem(keys.theme, next);
}

const theme = localStorage.getItem(keys.theme);
if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
const root = document.getElementById("page");
if (root !== null) render(<App />, root);
