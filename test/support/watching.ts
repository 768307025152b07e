import {
  type AgentEvent,
  allSpans,
  type ModelInput,
  type Observer,
  type Span,
  spanTree,
} from "../../src/index.js";

/** An observer that keeps what it sees. */
export function watching() {
  const events: AgentEvent[] = [];
  const inputs: ModelInput[] = [];
  const observer: Observer = {
    onEvent: (event, { input }) => {
      events.push(event);
      if (input !== undefined) inputs.push(input());
    },
  };
  const tree = () => spanTree(events);
  return { observer, events, inputs, tree, types: () => events.map(({ type }) => type) };
}

/** Spans as lines, indented by depth: what a person would read in the tree. */
export function outline(spans: readonly Span[], depth = 0): string[] {
  return spans.flatMap(({ kind, name, role, status, children }) => [
    `${"  ".repeat(depth)}${kind} ${name}${role === undefined ? "" : ` (${role})`} ${status}`,
    ...outline(children, depth + 1),
  ]);
}

/** The spans with this name. */
export function spansOf(spans: readonly Span[], name: string): readonly Span[] {
  return allSpans(spans).filter((span) => span.name === name);
}
