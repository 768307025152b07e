/** A capability that a model, or the server before it, lacks. Known from its profile, or learned from a refusal. */
export type MissingCapability =
  /** Takes no tools, or writes its calls as text: calls are asked for as JSON. */
  | "json_calls"
  | "no_json_schema"
  /** Takes a JSON schema, but not `strict`. */
  | "no_strict"
  | "no_forced_tool"
  | "no_json_mode"
  | "no_system"
  /** User and assistant must take turns. */
  | "alternating"
  /** At most one tool call in a message. */
  | "single_calls"
  | "no_stop"
  | "no_stream_usage"
  /** Reads no other content than text. */
  | "no_images"
  | "no_audio"
  | "no_video"
  | "no_files";
