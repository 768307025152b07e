/** Asks a model that repeats itself for another call or for its answer; `tried` are the calls that brought something. */
export function anotherWayPrompt(tried: readonly string[]): string {
  const known =
    tried.length === 0 ? "" : ` These calls were made, with these results:\n${tried.join("\n")}\n`;
  return (
    `You are going round in circles.${known} Do not repeat a call. If the results answer the question, ` +
    "give your answer now; if not, make a call that was not made yet."
  );
}
