import { INTERRUPT, isInterrupted } from "@langchain/langgraph";

import { PersonRequests } from "../../src/index.js";

/** What a paused run asks. */
export function asked(result: unknown): PersonRequests {
  if (!isInterrupted<PersonRequests>(result)) throw new Error("the run is not paused");
  const value = result[INTERRUPT][0]?.value;
  if (value === undefined) throw new Error("the interrupt is empty");
  return PersonRequests.parse(value);
}
