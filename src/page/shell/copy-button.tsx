import { useState } from "preact/hooks";

import { useWords } from "../text/context.js";

/** Puts a text on the clipboard; where that is not allowed, shows it to be copied by hand. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const words = useWords();
  const [state, setState] = useState<"copied" | "refused">();
  const copy = () => {
    // Without https, and not on this machine, a page has no clipboard.
    const { clipboard }: { clipboard?: Clipboard } = navigator;
    const copied = clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    copied.then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span role="status" class="small">
        {state === "copied" && words.copied}
      </span>
      {state === "refused" && <pre tabIndex={0}>{text}</pre>}
    </>
  );
}
