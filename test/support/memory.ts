import type { ScriptedModel } from "../../src/testing/index.js";

const heading = "What the application knows right now";

/** What each request told of the memory: the end of its system message. */
export function toldIn(model: Pick<ScriptedModel, "calls">): string[] {
  return model.calls.map(({ messages }) => {
    const system = messages.filter(({ type }) => type === "system").map(({ text }) => text);
    const [, told = "nothing"] = system
      .join("\n")
      .split(`${heading} (newer than anything said before):\n`);
    return told;
  });
}

/** A provider that says something else each time. */
export function counting(of: string) {
  let asked = 0;
  const provide = async () => {
    asked += 1;
    return `${of} ${asked}.`;
  };
  return { provide, asked: () => asked };
}
