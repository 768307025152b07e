/** What a text lists between commas: `a, b` is `a` and `b`. */
export function commaList(text = ""): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
