/** A text without the thinking that some models write before it. */
export type SplitThoughts = { readonly thoughts: string; readonly rest: string };

const tag = "(?:think|thinking|reasoning)";
// Tags that stand in a line or a text are talked about.
const block = new RegExp(`^[ \\t]*<${tag}>([\\s\\S]*?)(?:</${tag}>|$(?![\\s\\S]))`, "gim");
const closing =
  /^([\s\S]*?)(?<!["'`“‘])<\/(?:[Tt]hink(?:ing)?|THINK|[Rr]easoning)>(?!["'`”’\\]|[ \t]+\p{Ll})/u;

/**
 * Parts `<think>` blocks, which begin at the beginning of a line, from the rest of a text, closed or
 * not. A chat template may have written the opening tag itself: then all before the closing one is
 * thinking.
 */
export function splitThoughts(text: string): SplitThoughts {
  if (!/<\/?(?:think|reasoning)/i.test(text)) return { thoughts: "", rest: text };
  const thoughts: string[] = [];
  const keep = (_: string, thought: string) => {
    thoughts.push(thought.trim());
    return "";
  };
  const rest = text.replaceAll(block, keep).replace(closing, keep).trim();
  return { thoughts: thoughts.join("\n"), rest };
}
