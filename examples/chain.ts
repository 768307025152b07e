// A graph as a link of a chain: prompt → graph → parser. The chain's config goes on into the run, so
// that the caller's callbacks, tags and abort signal reach its models and tools.
// Run it: npx tsx examples/chain.ts
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { calculator, createReactGraph } from "plangraph";

const react = createReactGraph({ models: "offline", tools: [calculator] });

const chain = ChatPromptTemplate.fromMessages([["user", "What is {left} * {right}?"]])
  // A function in place of `.pipe(react)`, which LangGraph's types of a compiled graph do not allow.
  .pipe((prompt, config) => react.invoke({ messages: prompt.toChatMessages() }, config))
  .pipe(({ answer = "" }) => answer)
  .pipe(new StringOutputParser());

console.log(await chain.invoke({ left: 6, right: 7 }));
console.log(
  await chain.batch([
    { left: 1, right: 2 },
    { left: 3, right: 4 },
  ]),
);

const listener = {
  handleToolStart: (_tool: unknown, input: string) => console.log("the tool gets", input),
};
await chain.invoke({ left: 8, right: 9 }, { callbacks: [listener] });

/* prints:
The result is 42.
[ 'The result is 2.', 'The result is 12.' ]
the tool gets {"expression":"8 * 9"}
*/
