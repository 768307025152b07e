import { useRef, useState } from "preact/hooks";

import { useWords } from "../text/context.js";

/** A file that goes with a question. */
export type Attachment = { readonly name: string; readonly type: string; readonly data: string };

type Props = {
  readonly isRunning: boolean;
  readonly onSend: (text: string, files: readonly Attachment[]) => void;
  readonly onStop: () => void;
};

/** The largest file that is sent, in bytes. */
const mostBytes = 8_000_000;

/** Where the next question is written. Enter sends, Shift and Enter begins a line. */
export function Composer({ isRunning, onSend, onStop }: Props) {
  const words = useWords();
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const send = () => {
    if (isRunning || (text.trim() === "" && files.length === 0)) return;
    onSend(text.trim(), files);
    setText("");
    setFiles([]);
  };
  const add = async (list: FileList | null) => {
    const small = [...(list ?? [])].filter(({ size }) => size <= mostBytes);
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
      {files.length > 0 && (
        <ul class="files">
          {files.map((file, at) => (
            <li>
              {file.name}{" "}
              <button
                type="button"
                class="quiet"
                aria-label={`${words.remove}: ${file.name}`}
                onClick={() => setFiles(files.toSpliced(at, 1))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
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
          ＋
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

async function readFile(file: File): Promise<Attachment> {
  const address = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      resolve(typeof reader.result === "string" ? reader.result : ""),
    );
    reader.readAsDataURL(file);
  });
  return { name: file.name, type: file.type, data: address.slice(address.indexOf(",") + 1) };
}

/** A question with its files, as the content of a message. Texts are read here: any model can read those. */
export function contentOf(text: string, files: readonly Attachment[]): unknown {
  if (files.length === 0) return text;
  const parts = files.map(({ name, type, data }) => {
    if (type.startsWith("image/"))
      return { type: "image", source_type: "base64", mime_type: type, data };
    if (type.startsWith("text/") || type === "application/json") {
      const bytes = Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0);
      return { type: "text", text: `${name}:\n${new TextDecoder().decode(bytes)}\n` };
    }
    return {
      type: "file",
      source_type: "base64",
      mime_type: type,
      data,
      metadata: { filename: name },
    };
  });
  return [...parts, ...(text === "" ? [] : [{ type: "text", text }])];
}
