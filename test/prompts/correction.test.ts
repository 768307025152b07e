import { expect, it } from "vitest";

import { correctionPrompt, wantedCall } from "../../src/prompts/tool-protocol.js";

it("says what was wrong and what is wanted", () => {
  expect(correctionPrompt("your reply was empty", "", wantedCall)).toBe(
    "That did not work: your reply was empty.\nReply again: either make one complete tool call, or give your final answer as plain text.",
  );
});

it("quotes what was said", () => {
  expect(correctionPrompt("it was cut", "I will\nlook", wantedCall)).toContain(
    "it was cut.\nYour reply was:\nI will\nlook\nReply again",
  );
});
