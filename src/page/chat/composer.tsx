import { useEffect, useRef, useState } from "preact/hooks";

import { isSendKey } from "../shell/keys.js";
import { keptText, useKept } from "../shell/use-kept.js";
import { useWords } from "../text/context.js";
import type { Attachment } from "./attachments.js";
import { useFiles } from "./use-files.js";

type Props = {
  /** The conversation, whose unsent words are kept; empty for a new one. */
  readonly thread: string;
  readonly isRunning: boolean;
  readonly canStop: boolean;
  /** A run waits for decisions, which another question takes the place of. */
  readonly isWaiting: boolean;
  readonly onSend: (text: string, files: readonly Attachment[], onAccepted: () => void) => void;
  readonly onStop: () => void;
};

/** Where the next question is written. Enter sends, Shift and Enter begins a line; files may be pasted and dropped. */
export function Composer({ thread, isRunning, canStop, isWaiting, onSend, onStop }: Props) {
  const words = useWords();
  const [text, setText] = useKept(`question.${thread}`, keptText);
  const [isEarly, setEarly] = useState(false);
  /** It was sent while its files were still read. */
  const [isWanted, setWanted] = useState(false);
  const { files, leftOut, isReading, add, remove, clear } = useFiles();
  const isEmpty = text.trim() === "" && files.length === 0 && !isReading;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // With a mouse comes a keyboard; on a phone the focus would open its keys.
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  const send = () => {
    if (isEmpty) return;
    setEarly(isRunning);
    setWanted(!isRunning && isReading);
    if (isRunning || isReading) return;
    // It stays until the server has it.
    onSend(text.trim(), files, () => {
      setText("");
      clear();
    });
  };
  useEffect(() => setEarly(false), [isRunning]);
  useEffect(() => {
    if (isReading || !isWanted) return;
    setWanted(false);
    // A question that lacks a file stays with its person.
    if (leftOut.length === 0) send();
  }, [isReading, isWanted]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  const instead = isWaiting && text.trim() !== "" ? words.insteadOfDeciding : undefined;
  const waits = isWanted ? words.readingFiles : instead;
  const hint = isEarly ? words.atWork : waits;
  /** Takes the files of what was pasted or dropped; everything else goes its usual way. */
  const take = (event: Event, from: DataTransfer | null) => {
    if (from === null || from.files.length === 0) return;
    event.preventDefault();
    void add(from.files);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
      onPaste={(event) => take(event, event.clipboardData)}
    >
      <Files files={files} onRemove={remove} />
      {leftOut.map(({ name, why }) => (
        <p class="problem" role="alert">
          {words[why](name)}
        </p>
      ))}
      {hint !== undefined && (
        <p class="small" role="status">
          {hint}
        </p>
      )}
      <div class="line">
        <Picker onPick={(picked) => void add(picked)} />
        <textarea
          id="ask"
          ref={field}
          rows={1}
          dir="auto"
          aria-label={words.ask}
          placeholder={words.ask}
          value={text}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <SendOrStop isRunning={isRunning} canStop={canStop} isEmpty={isEmpty} onStop={onStop} />
      </div>
    </form>
  );
}

/** Picks files from the disk. */
function Picker({ onPick }: { readonly onPick: (files: FileList | null) => void }) {
  const words = useWords();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        class="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          onPick(currentTarget.files);
          currentTarget.value = "";
        }}
      />
      <button
        type="button"
        class="quiet"
        aria-label={words.attach}
        title={words.attach}
        onClick={() => field.current?.click()}
      >
        +
      </button>
    </>
  );
}

type ButtonProps = Pick<Props, "isRunning" | "canStop" | "onStop"> & { readonly isEmpty: boolean };

function SendOrStop({ isRunning, canStop, isEmpty, onStop }: ButtonProps) {
  const words = useWords();
  return isRunning ? (
    <button type="button" class="danger" disabled={!canStop} onClick={onStop}>
      {words.stop}
    </button>
  ) : (
    <button type="submit" class="main" disabled={isEmpty}>
      {words.send}
    </button>
  );
}

type FilesProps = {
  readonly files: readonly Attachment[];
  readonly onRemove: (at: number) => void;
};

/** What goes with the question; nothing where nothing does. */
function Files({ files, onRemove }: FilesProps) {
  const words = useWords();
  return files.length === 0 ? null : (
    <ul class="files">
      {files.map((file, at) => (
        <li>
          {file.name}{" "}
          <button
            type="button"
            class="quiet"
            aria-label={`${words.remove}: ${file.name}`}
            onClick={() => onRemove(at)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
