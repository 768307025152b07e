import type { JsonObject } from "../json/json.js";

/** What stands in the conversation in place of a question that did not pass its check. */
export const notLetThrough = "(This message was not let through.)";

/** What the user reads where a check failed: nothing goes out that nobody checked. */
export const unchecked = "I could not finish: a check failed.";

/** What the user reads while an answer waits for a person. */
export const awaitsReview = "The answer waits for a person to look at it.";

/** What the user reads of an answer that a person rejected. */
export const notReleased = "The answer was not released.";

/** In place of a result that is the answer, while the answer has not passed: nobody reads it before. */
export const heldResult = "(The result is the answer, if it may go out.)";

/** The request to let an answer out, with the answer to edit. */
export function answerReviewOf(args: JsonObject, question: string, answer: string) {
  const description = ["Send this answer?", `Question: ${question}`, `Answer: ${answer}`].join(
    "\n",
  );
  return { name: "answer", args, description };
}
