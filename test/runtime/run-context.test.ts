import { describe, expect, it } from "vitest";

import { parseRunContext } from "../../src/runtime/options.js";

describe("parseRunContext", () => {
  it.each([
    { name: "nothing", context: undefined, fields: {} },
    { name: "an empty context", context: {}, fields: {} },
    {
      name: "some fields",
      context: { model: "offline", limits: { seconds: 0.5, toolCalls: null } },
      fields: { model: "offline", limits: { seconds: 0.5, toolCalls: null } },
    },
    {
      name: "fields of the caller's own tools, which are left out",
      context: { userId: "ann", earlyStopping: "force" },
      fields: { earlyStopping: "force" },
    },
  ])("reads $name", ({ context, fields }) => {
    expect(parseRunContext(context)).toEqual(fields);
  });

  it.each([
    {
      name: "a text in place of a number",
      context: { limits: { seconds: "1" } },
      problems: ["context.limits.seconds: Invalid input: expected number, received string"],
    },
    {
      name: "a limit that does not exist",
      context: { limits: { second: 1, toolcalls: 2 } },
      problems: [
        "context.limits.second: there is no such field (did you mean seconds?)",
        "context.limits.toolcalls: there is no such field (did you mean toolCalls?)",
      ],
    },
    {
      name: "a role that does not exist",
      context: { models: { executer: "offline" } },
      problems: ["context.models.executer: there is no such field (did you mean executor?)"],
    },
    {
      name: "several at once",
      context: { contextTokens: 0, timeZone: "Mars", locale: "en_US", earlyStopping: "maybe" },
      problems: [
        "context.earlyStopping: ",
        "context.timeZone: expected an IANA",
        "context.locale: expected a BCP 47 tag",
        "context.contextTokens: ",
      ],
    },
    {
      name: "what is no object",
      context: "offline",
      problems: ["context: Invalid input: expected object"],
    },
  ])("refuses $name, with the path of each field", ({ context, problems }) => {
    const read = () => parseRunContext(context);
    for (const problem of problems) expect(read).toThrow(problem);
    expect(read).toThrow(expect.objectContaining({ code: "invalid_context" }));
  });
});
