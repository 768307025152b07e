/** What a step that reasons is told. */
export const llmInstructions =
  "Do what the user asks with the results that the request contains. Answer briefly, with the result " +
  "alone. Do not make anything up.";
