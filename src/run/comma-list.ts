/** The items of a list with commas: `a, b` is `a` and `b`. */
export function commaList(text = ""): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
