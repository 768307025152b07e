import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import * as fc from "fast-check";

const text = fc
  .string({ maxLength: 30 })
  .chain((word) => fc.constantFrom(1, 1, 1, 100).map((times) => `${word} `.repeat(times)));

/** One to three calls with their results. The ids come from a few: servers repeat them. */
const turn = fc
  .array(fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e", "f"), text }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((calls): BaseMessage[] => {
    const unique = calls.filter(({ id }, at) => calls.findIndex((each) => each.id === id) === at);
    return [
      new AIMessage({
        content: "",
        tool_calls: unique.map(({ id }) => ({ id, name: "t", args: {} })),
      }),
      ...unique.map(({ id, text: content }) => new ToolMessage({ content, tool_call_id: id })),
    ];
  });

const said = text.chain((content) =>
  fc
    .constantFrom<() => BaseMessage>(
      () => new HumanMessage(content),
      () => new AIMessage(content),
    )
    .map((make) => [make()]),
);

/** Valid histories: every call is followed by its results, in call order. */
export const histories: fc.Arbitrary<readonly BaseMessage[]> = fc
  .tuple(fc.boolean(), fc.array(fc.oneof(turn, said), { maxLength: 8 }))
  .map(([system, units]) => [...(system ? [new SystemMessage("system")] : []), ...units.flat()]);
