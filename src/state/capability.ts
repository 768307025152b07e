/** A capability that a model or its server lacks; from its profile, or learned from a refusal. */
export type MissingCapability =
  /** No tools, or calls written as text: calls are requested as JSON. */
  | "json_calls"
  | "no_json_schema"
  /** Takes no JSON schema for the answer beside its tools */
  | "no_answer_form"
  /** Supports JSON schema, but not `strict`. */
  | "no_strict"
  | "no_forced_tool"
  | "no_json_mode"
  | "no_system"
  /** User and assistant must take turns. */
  | "alternating"
  /** At most one tool call in a message. */
  | "single_calls"
  | "no_stop"
  /** Takes no temperature but its own. */
  | "no_temperature"
  | "no_stream_usage"
  /** Text only. */
  | "no_images"
  | "no_audio"
  | "no_video"
  | "no_files";
