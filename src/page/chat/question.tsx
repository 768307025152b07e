import { useId, useState } from "preact/hooks";

import { questionOf } from "../model/decisions.js";
import { fieldsOf, readForm } from "../model/forms.js";
import { useWords } from "../text/context.js";
import { Form } from "./form.js";
import { Decided, Reject } from "./reject.js";
import type { RequestProps } from "./request-props.js";

/** A question to the person, answered in words or in a form. */
export function Question({
  request,
  draft,
  onDecide,
  isForm,
}: RequestProps & { readonly isForm: boolean }) {
  const words = useWords();
  return (
    <section class="request card">
      <h3>{questionOf(request)}</h3>
      {draft !== undefined ? (
        <Decided draft={draft} onChange={() => onDecide(undefined)} />
      ) : isForm ? (
        <FormAnswer request={request} onDecide={onDecide} />
      ) : (
        <WordAnswer onAnswer={(message) => onDecide({ type: "respond", message })} />
      )}
      {draft === undefined && request.allowed.includes("reject") && (
        <div class="buttons">
          <Reject
            label={words.cannotAnswer}
            onReject={(message) => onDecide({ type: "reject", message })}
          />
        </div>
      )}
      <p class="hidden">{words.states.asking}</p>
    </section>
  );
}

function WordAnswer({ onAnswer }: { readonly onAnswer: (message: string) => void }) {
  const words = useWords();
  const id = useId();
  const [text, setText] = useState("");
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onAnswer(text.trim());
      }}
    >
      <label class="hidden" for={id}>
        {words.answerHere}
      </label>
      <input
        id={id}
        type="text"
        placeholder={words.answerHere}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="main" disabled={text.trim() === ""}>
        {words.respond}
      </button>
    </form>
  );
}

function FormAnswer({
  request: { args, schema, fromMemory },
  onDecide,
}: Pick<RequestProps, "request" | "onDecide">) {
  const words = useWords();
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [isTried, setTried] = useState(false);
  const fields = fieldsOf(args, schema);
  const form = readForm(fields, texts);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (form.ok) onDecide({ type: "edit", args: form.args });
      }}
    >
      <Form
        fields={fields}
        texts={texts}
        problems={!form.ok && isTried ? form.problems : new Map()}
        fromMemory={fromMemory}
        isFixed={false}
        onChange={(name, text) => setTexts(new Map([...texts, [name, text]]))}
      />
      <button type="submit" class="main">
        {words.respond}
      </button>
    </form>
  );
}
