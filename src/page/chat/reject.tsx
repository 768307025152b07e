import { useId, useState } from "preact/hooks";

import type { Draft } from "../model/decisions.js";
import { focusNew } from "../shell/keys.js";
import { useWords } from "../text/context.js";

/** Rejects, with a reason that the assistant reads. */
export function Reject({
  label,
  onReject,
}: {
  /** Default: to reject. */
  readonly label?: string;
  readonly onReject: (message: string) => void;
}) {
  const words = useWords();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {label ?? words.reject}
      </button>
    );
  return (
    <form
      class="reject"
      onKeyDown={({ key }) => {
        if (key === "Escape") setOpen(false);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason);
      }}
    >
      <label for={id}>{words.rejectReason}</label>
      <input
        id={id}
        ref={focusNew}
        type="text"
        value={reason}
        onInput={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <button type="submit" class="danger">
        {label ?? words.reject}
      </button>
      <button type="button" onClick={() => setOpen(false)}>
        {words.cancel}
      </button>
    </form>
  );
}

/** What was decided, until all is sent. */
export function Decided({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: () => void;
}) {
  const words = useWords();
  const said = {
    approve: words.approve,
    edit: words.approveChanged,
    reject: words.reject,
    respond: words.respond,
  };
  const message = "message" in draft && draft.message !== "" ? `: ${draft.message}` : "";
  return (
    <p class="decided" role="status">
      {`${words.decided}: ${said[draft.type]}${message} `}
      <button type="button" class="link" onClick={onChange}>
        {words.change}
      </button>
    </p>
  );
}
