/** Something that a model, or the server before it, does not take. Known beforehand, or learned from a refusal. */
export type Quirk =
  /** Takes no tools, or writes its calls as text: they are asked for as JSON. */
  | "json_calls"
  | "no_json_schema"
  /** Takes a JSON schema, but not `strict`. */
  | "no_strict"
  | "no_forced_tool"
  | "no_json_mode"
  | "no_system"
  /** Wants user and assistant to take turns. */
  | "alternating"
  /** Takes one tool call in a message only. */
  | "single_calls"
  | "no_stop"
  | "no_stream_usage"
  /** Cannot read what is no text. */
  | "no_images"
  | "no_audio"
  | "no_video"
  | "no_files";
