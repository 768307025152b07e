/** What the application knows under a name: a text for models, and ids for tools. */
export type Remembered = {
  /** Empty where only ids are known. */
  readonly text: string;
  readonly ids?: { readonly [id: string]: string | number };
};

/** What a run knew before its last model call, by name. */
export type MemoryRecord = { readonly [name: string]: Remembered };
