import { useId } from "preact/hooks";

import type { Field, FieldProblem } from "../model/forms.js";
import { useWords } from "../text/context.js";

/** Fields with the texts in them. */
export type FormProps = {
  readonly fields: readonly Field[];
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, FieldProblem>;
  readonly fromMemory: readonly string[];
  readonly isFixed: boolean;
  readonly onChange: (name: string, text: string) => void;
};

/** Arguments as fields that can be changed. */
export function Form({ fields, texts, problems, fromMemory, isFixed, onChange }: FormProps) {
  return (
    <div class="form">
      {fields.map((field) => (
        <FieldRow
          field={field}
          text={texts.get(field.name) ?? field.text}
          problem={problems.get(field.name)}
          isFromMemory={fromMemory.includes(field.name)}
          isFixed={isFixed}
          onChange={(text) => onChange(field.name, text)}
        />
      ))}
    </div>
  );
}

type RowProps = {
  readonly field: Field;
  readonly text: string;
  readonly problem: FieldProblem | undefined;
  readonly isFromMemory: boolean;
  readonly isFixed: boolean;
  readonly onChange: (text: string) => void;
};

function FieldRow({ field, text, problem, isFromMemory, isFixed, onChange }: RowProps) {
  const words = useWords();
  const id = useId();
  const said = { needed: words.needed, notJson: words.notJson, notNumber: words.notNumber };
  return (
    <div class="field">
      <label for={id}>
        {field.name}
        {isFromMemory && <small> {words.fromMemory}</small>}
        {field.description !== "" && <small> {field.description}</small>}
      </label>
      <Control
        id={id}
        field={field}
        text={text}
        isFixed={isFixed}
        isWrong={problem !== undefined}
        onChange={onChange}
      />
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {said[problem]}
        </p>
      )}
    </div>
  );
}

/** How many rows show the whole text, as far as they may. */
function rowsOf(text: string): number {
  const rows = text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / 60), 1);
  return Math.min(16, rows);
}

type ControlProps = Pick<RowProps, "field" | "text" | "isFixed" | "onChange"> & {
  readonly id: string;
  readonly isWrong: boolean;
};

function Control({
  id,
  field: { kind, choices, isNeeded },
  text,
  isFixed,
  isWrong,
  onChange,
}: ControlProps) {
  const shared = {
    id,
    disabled: isFixed,
    "aria-invalid": isWrong,
    "aria-describedby": isWrong ? `${id}-problem` : undefined,
    "aria-required": isNeeded,
  };
  if (kind === "flag") {
    return (
      <input
        type="checkbox"
        {...shared}
        checked={text === "true"}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    );
  }
  if (kind === "choice") {
    return (
      <select
        {...shared}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {(choices.includes(text) ? choices : [text, ...choices]).map((choice) => (
          <option value={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onChange(currentTarget.value);
  const isLong = kind === "json" || text.length > 60 || text.includes("\n");
  return isLong ? (
    <textarea {...shared} rows={rowsOf(text)} value={text} onInput={onInput} />
  ) : (
    <input
      type="text"
      inputMode={kind === "number" ? "decimal" : "text"}
      {...shared}
      value={text}
      onInput={onInput}
    />
  );
}
