import { expect, it } from "vitest";

import { oldestKept } from "../../src/run/old-checkpoints.js";

/** Checkpoints as "namespace/id", and behind a "<" the surrounding ones in the same form. */
function checkpoints(...texts: readonly string[]) {
  return texts.map((text) => {
    const [own = "", ...around] = text.split("<");
    const [namespace = "", id = ""] = own.split("/");
    const parents = Object.fromEntries(around.map((each) => each.split("/")));
    return { namespace, id, parents, isDelta: id.endsWith("delta") };
  });
}

it.each([
  { name: "nothing", given: [], keep: 1, oldest: {} },
  { name: "the newest", given: ["/1", "/3", "/2"], keep: 1, oldest: { "": "3" } },
  { name: "some of the newest", given: ["/1", "/3", "/2"], keep: 2, oldest: { "": "2" } },
  { name: "all where there are fewer", given: ["/1", "/2"], keep: 5, oldest: { "": "1" } },
  {
    name: "what ran inside a step whose checkpoint stays",
    given: ["a:1/7</2", "a:1/8</2", "/1", "/2"],
    keep: 1,
    oldest: { "": "2", "a:1": "8" },
  },
  {
    name: "nothing of what ran inside a step before",
    given: ["/1", "/2", "a:1/7</1"],
    keep: 1,
    oldest: { "": "2", "a:1": "\uffff" },
  },
  {
    name: "nothing of what ran inside something that goes, however deep",
    given: ["/1", "/2", "a:1/3</1", "a:1|b:2/4</1<a:1/3", "a:1|b:2|1/5</1<a:1/3"],
    keep: 1,
    oldest: { "": "2", "a:1": "\uffff", "a:1|b:2": "\uffff", "a:1|b:2|1": "\uffff" },
  },
  {
    name: "only what the last step of a sub-run is at",
    given: ["/1", "a:1/3</1", "a:1/4</1", "a:1|b:2/5</1<a:1/3", "a:1|b:3/6</1<a:1/4"],
    keep: 1,
    oldest: { "": "1", "a:1": "4", "a:1|b:2": "\uffff", "a:1|b:3": "6" },
  },
  {
    name: "what runs inside a step whose checkpoint is not written yet",
    given: ["/1", "/2", "a:1/4</3"],
    keep: 1,
    oldest: { "": "2", "a:1": "4" },
  },
  {
    name: "what runs inside a thread that has no checkpoint yet",
    given: ["a:1/4</3"],
    keep: 1,
    oldest: { "a:1": "4" },
  },
  {
    name: "the memory of a graph that goes on from run to run",
    given: ["/1", "/2", "/3", "a/4</1", "a/5</2"],
    keep: 1,
    oldest: { "": "3", a: "5" },
  },
  {
    name: "a thread whole that is kept as changes",
    given: ["/1-delta", "/2-delta", "/3-delta"],
    keep: 1,
    oldest: { "": "1-delta" },
  },
])("oldestKept keeps $name", ({ given, keep, oldest }) => {
  expect(Object.fromEntries(oldestKept(checkpoints(...given), keep))).toEqual(oldest);
});
