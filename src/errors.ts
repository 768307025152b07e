/** What a developer or operator must fix; each message says how. */
export type PlangraphErrorCode =
  | "invalid_option"
  | "invalid_context"
  | "invalid_input"
  | "invalid_model"
  | "missing_model"
  | "missing_key"
  | "missing_package"
  | "invalid_tool"
  | "invalid_service"
  | "invalid_agent"
  | "invalid_decisions"
  | "already_answered"
  | "missing_thread"
  | "thread_busy"
  | "nothing_to_resume"
  | "wrong_graph"
  | "unknown_version"
  | "unfinished_run"
  | "invalid_structure"
  | "not_a_plangraph"
  | "unreadable_file"
  | "invalid_cases"
  | "invalid_knowledge"
  | "knowledge_failed"
  | "embedding_changed"
  | "embedding_failed"
  | "summary_failed";

/**
 * The only error that plangraph throws for a developer's mistake. Its message says what happened, what was expected and
 * what came. Failures of tools and models at run time are data, not errors.
 */
export class PlangraphError extends Error {
  readonly code: PlangraphErrorCode;

  constructor(code: PlangraphErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PlangraphError";
    this.code = code;
  }
}

/** Loads an optional package. Throws `missing_package` with this message where it is not installed. */
export async function optionalPackage<Package>(
  load: () => Promise<Package>,
  message: string,
): Promise<Package> {
  try {
    return await load();
  } catch (error) {
    throw new PlangraphError("missing_package", message, { cause: error });
  }
}
