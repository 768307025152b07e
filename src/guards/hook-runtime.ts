/** What a hook in the shape of LangChain's middleware sees of the run around it. */
export type HookRuntime = {
  readonly context?: unknown;
  readonly configurable?: Record<string, unknown>;
  readonly store?: unknown;
  readonly writer?: unknown;
  readonly signal?: AbortSignal;
};
