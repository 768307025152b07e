import { useRef, useState } from "preact/hooks";

import { useWords } from "../text/context.js";
import { type Attachment, mostBytes, readFile } from "./attachments.js";

type Props = {
  readonly isRunning: boolean;
  /** A run waits for decisions, which another question takes the place of. */
  readonly isWaiting: boolean;
  readonly onSend: (text: string, files: readonly Attachment[], onAccepted: () => void) => void;
  readonly onStop: () => void;
};

/** Where the next question is written. Enter sends, Shift and Enter begins a line. */
export function Composer({ isRunning, isWaiting, onSend, onStop }: Props) {
  const words = useWords();
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const send = () => {
    if (isRunning || (text.trim() === "" && files.length === 0)) return;
    // It stays until the server has it.
    onSend(text.trim(), files, () => {
      setText("");
      setFiles([]);
    });
  };
  const add = async (list: FileList | null) => {
    const small = [...(list ?? [])].filter(({ size }) => size <= mostBytes);
    setLeftOut([...(list ?? [])].filter((file) => !small.includes(file)).map(({ name }) => name));
    const read = await Promise.all(small.map(readFile));
    setFiles((before) => [...before, ...read]);
    if (picker.current !== null) picker.current.value = "";
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A method of input ends its word with Enter, too.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Files files={files} onRemove={(at) => setFiles(files.toSpliced(at, 1))} />
      {leftOut.length > 0 && (
        <p class="problem" role="alert">
          {words.tooLarge(leftOut.join(", "))}
        </p>
      )}
      {isWaiting && text.trim() !== "" && (
        <p class="small" role="status">
          {words.insteadOfDeciding}
        </p>
      )}
      <div class="line">
        <input
          ref={picker}
          class="hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden="true"
          onChange={({ currentTarget }) => void add(currentTarget.files)}
        />
        <button
          type="button"
          class="quiet"
          aria-label={words.attach}
          title={words.attach}
          onClick={() => picker.current?.click()}
        >
          +
        </button>
        <textarea
          rows={1}
          aria-label={words.ask}
          placeholder={words.ask}
          value={text}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {isRunning ? (
          <button type="button" class="danger" onClick={onStop}>
            {words.stop}
          </button>
        ) : (
          <button type="submit" class="main" disabled={text.trim() === "" && files.length === 0}>
            {words.send}
          </button>
        )}
      </div>
    </form>
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
